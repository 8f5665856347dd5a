const BANG = 0x21;
const HASH = 0x23;
const AT = 0x40;
const SPACE = 0x20;

/** `!…`, `# …`, a single `#` and `####…`; `#text`, `##…` and `###…` are cosmetic rules. */
export function isComment(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return false;
  const first = bytes[start];
  if (first === BANG) return true;
  if (first !== HASH) return false;
  if (end === start + 1 || bytes[start + 1] === SPACE) return true;
  return end - start >= 4 && bytes[start + 1] === HASH && bytes[start + 2] === HASH && bytes[start + 3] === HASH;
}

export const isAllowRule = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start >= 2 && bytes[start] === AT && bytes[start + 1] === AT;

/** A comment or blank line, which belongs to the rule below it. */
export const isAnnotation = (bytes: Uint8Array, start: number, end: number): boolean =>
  start === end || isComment(bytes, start, end);

/** Length of the white space character (as in `String.trim`) at this offset, or 0. */
function blankLength(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]!;
  if (byte < 0x80) return byte === SPACE || (byte >= 0x09 && byte <= 0x0d) ? 1 : 0;
  if (byte === 0xc2) return at + 1 < end && bytes[at + 1] === 0xa0 ? 2 : 0;
  if (at + 2 >= end) return 0;
  return isWideBlank(byte, bytes[at + 1]!, bytes[at + 2]!) ? 3 : 0;
}

/** U+1680, U+2000–200A, U+2028, U+2029, U+202F, U+205F, U+3000 and U+FEFF. */
function isWideBlank(first: number, second: number, third: number): boolean {
  if (first === 0xe1) return second === 0x9a && third === 0x80;
  if (first === 0xe3) return second === 0x80 && third === 0x80;
  if (first === 0xef) return second === 0xbb && third === 0xbf;
  if (first !== 0xe2) return false;
  if (second === 0x81) return third === 0x9f;
  return second === 0x80 && (third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf);
}

export function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const length = blankLength(bytes, at, end);
    if (length === 0) break;
    at += length;
  }
  return at;
}

export function skipBlanksBack(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start) {
    const length = blankLengthBefore(bytes, start, at);
    if (length === 0) break;
    at -= length;
  }
  return at;
}

export const isBlank = (bytes: Uint8Array, start: number, end: number): boolean =>
  skipBlanks(bytes, start, end) === end;

function blankLengthBefore(bytes: Uint8Array, start: number, at: number): number {
  if (bytes[at - 1]! < 0x80) return blankLength(bytes, at - 1, at);
  for (const length of [2, 3]) {
    if (at - length >= start && blankLength(bytes, at - length, at) === length) return length;
  }
  return 0;
}
