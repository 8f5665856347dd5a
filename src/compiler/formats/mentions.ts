import type { Lines } from '../lines/lines.ts';

/** Whether the list has a word anywhere. Few lists have rare modifiers, so that their lines need not be parsed. */
export const mentions = ({ text: { bytes, length } }: Lines, word: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, length).includes(word);
