/** The text of a name in lower case, letter by letter: what wildcards and expressions are matched against. */
export type NameLetters = { length: number; readonly letters: Uint8Array };

// Each byte of a name may need four letters.
const MAX_LETTERS = 4 * 255;
const DOT = 0x2e;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

export const createNameLetters = (): NameLetters => ({ length: 0, letters: new Uint8Array(MAX_LETTERS) });

/** The same text as `nameText` gives, without making a string. */
export function readNameLetters(bytes: Uint8Array, at: number, into: NameLetters): void {
  const { letters } = into;
  let to = 0;
  for (let label = at; bytes[label]! > 0; label += bytes[label]! + 1) {
    if (label !== at) letters[to++] = DOT;
    const end = label + bytes[label]!;
    for (let from = label + 1; from <= end; from++) {
      const byte = bytes[from]!;
      if (byte >= 0x41 && byte <= 0x5a) letters[to++] = byte | 0x20;
      else if (byte > 0x20 && byte < 0x7f && byte !== DOT && byte !== BACKSLASH) letters[to++] = byte;
      else to = writeEscape(byte, letters, to);
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

export const lettersText = ({ letters, length }: NameLetters): string => decoder.decode(letters.subarray(0, length));
