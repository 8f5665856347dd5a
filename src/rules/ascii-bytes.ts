/** A text letter by letter, in the first bytes of an array that serves for many. */
export type AsciiBytes = { length: number; readonly letters: Uint8Array };

/** Stands for every letter that no name has: names are ASCII, with the bytes beyond it written as numbers. */
export const NON_ASCII = 128;

export const asciiBytesOf = (text: string): AsciiBytes => ({
  length: text.length,
  letters: Uint8Array.from({ length: text.length }, (_, at) => Math.min(text.charCodeAt(at), NON_ASCII)),
});
