import type { Lines } from '../lines/lines.ts';

/** Whether the list contains a word. Avoids parsing lines for rare modifiers, which most lists do not use. */
export const mentions = ({ text: { bytes, length } }: Lines, word: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, length).includes(word);
