/** ASCII text in the first bytes of a reused array. */
export type AsciiBytes = { length: number; readonly letters: Uint8Array };

/** Replaces every non-ASCII character: names are ASCII, with other bytes escaped as numbers. */
export const NON_ASCII = 128;

export const asciiBytesOf = (text: string): AsciiBytes => ({
  length: text.length,
  letters: Uint8Array.from({ length: text.length }, (_, at) => Math.min(text.charCodeAt(at), NON_ASCII)),
});
