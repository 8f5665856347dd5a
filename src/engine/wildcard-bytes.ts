import { foldByte } from '../kit/fold-byte.ts';
import type { AsciiBytes } from '../rules/ascii-bytes.ts';

// Each byte of a name may be escaped to four characters.
export const MAX_LETTERS = 4 * 255;
const DOT = 0x2e;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

/** Buffer for the text of a name in lower case, which wildcards and regular expressions match. */
export const createNameLetters = (): AsciiBytes => ({ length: 0, letters: new Uint8Array(MAX_LETTERS) });

/** The character of a byte; 0 for those that are escaped. */
const plainLetters = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte <= 0x20 || byte >= 0x7f || byte === DOT || byte === BACKSLASH) return 0;
  return foldByte(byte);
});

/** The same text as `nameText`, without allocating a string. */
export function readNameLetters(bytes: Uint8Array, at: number, into: AsciiBytes): void {
  const { letters } = into;
  let to = 0;
  for (let label = at; bytes[label]! > 0; label += bytes[label]! + 1) {
    if (label !== at) letters[to++] = DOT;
    const end = label + bytes[label]!;
    for (let from = label + 1; from <= end; from++) {
      const byte = bytes[from]!;
      const letter = plainLetters[byte]!;
      if (letter === 0) to = writeEscape(byte, letters, to);
      else letters[to++] = letter;
    }
  }
  if (to === 0) letters[to++] = DOT;
  into.length = to;
}

function writeEscape(byte: number, letters: Uint8Array, to: number): number {
  letters[to] = BACKSLASH;
  if (byte === DOT || byte === BACKSLASH) {
    letters[to + 1] = byte;
    return to + 2;
  }
  letters[to + 1] = ZERO + Math.trunc(byte / 100);
  letters[to + 2] = ZERO + (Math.trunc(byte / 10) % 10);
  letters[to + 3] = ZERO + (byte % 10);
  return to + 4;
}

const decoder = new TextDecoder();

export const lettersText = ({ letters, length }: AsciiBytes): string => decoder.decode(letters.subarray(0, length));
