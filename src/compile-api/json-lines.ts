const CHUNK_BYTES = 64 * 1024;
const LF = 0x0a;
const special = /["\\\x00-\x09\x0b-\x1f]/;
const specialEach = /["\\\x00-\x09\x0b-\x1f]/g;

/**
 * A piece of a list as a piece of a JSON array of strings: what stands between the first quote and the last. Any piece
 * will do, and pieces are small: a list of millions of lines never becomes strings, nor holds up the process.
 */
export function jsonPiece(piece: Uint8Array): Buffer {
  // One byte, one character: what is beyond ASCII passes as the bytes it is.
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
  const escaped = special.test(text) ? text.replace(specialEach, escapeCharacter) : text;
  return Buffer.from(escaped.replaceAll('\n', '","'), 'latin1');
}

const escapeCharacter = (character: string): string => JSON.stringify(character).slice(1, -1);

/** A list in pieces that are quickly worked on. */
export function* pieces(list: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < list.length; at += CHUNK_BYTES) yield list.subarray(at, at + CHUNK_BYTES);
}

/** How many lines a list has, the way a split at line breaks counts them: one at least. */
export function countLines(list: Uint8Array): number {
  let lines = 1;
  for (let at = list.indexOf(LF); at !== -1; at = list.indexOf(LF, at + 1)) lines++;
  return lines;
}

/** A whole list as `jsonPiece` has its pieces. */
export const jsonOf = (list: Uint8Array): Uint8Array => {
  const whole = Buffer.concat([...pieces(list)].map(jsonPiece));
  // Buffers may share their memory with others, and this one is to go to another thread alone.
  return new Uint8Array(whole);
};
