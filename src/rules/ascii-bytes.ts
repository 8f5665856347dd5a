/** A text letter by letter, in the first bytes of an array that serves for many. */
export type Letters = { length: number; readonly letters: Uint8Array };

/** Stands for every letter that no name has: names are ASCII, with the bytes beyond it written as numbers. */
export const FOREIGN = 128;

export const lettersOf = (text: string): Letters => ({
  length: text.length,
  letters: Uint8Array.from({ length: text.length }, (_, at) => Math.min(text.charCodeAt(at), FOREIGN)),
});
