// Tests on four bytes at a time, for passes over whole texts. Each is the usual arithmetic that carries no borrow
// past the lowest byte that is meant, so that "none" is exact.

/** The bytes as words, those left over at the end excepted; undefined when they do not begin on a word. */
function asWords(bytes: Uint8Array): Int32Array | undefined {
  return bytes.byteOffset % 4 === 0 ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2) : undefined;
}

/** Whether all bytes are ASCII. */
export function isAsciiText(bytes: Uint8Array): boolean {
  const words = asWords(bytes);
  let at = 0;
  if (words) {
    for (let word = 0; word < words.length; word++) if ((words[word]! & 0x80808080) !== 0) return false;
    at = words.length * 4;
  }
  for (; at < bytes.length; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}

/** Where the next capital ASCII letter stands, from the given byte on; -1 when none follows. */
export function nextCapital(bytes: Uint8Array, from: number): number {
  const words = asWords(bytes);
  let at = from;
  if (words) {
    for (; at < bytes.length && at % 4 !== 0; at++) if (isCapital(bytes[at]!)) return at;
    at = nextCapitalWord(words, Math.ceil(at / 4)) * 4;
  }
  for (; at < bytes.length; at++) if (isCapital(bytes[at]!)) return at;
  return -1;
}

const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

/** The first word with a capital, from the given one on; the one behind the last when there is none. */
function nextCapitalWord(words: Int32Array, from: number): number {
  let at = from;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const low = word & 0x7f7f7f7f;
    if (((0xdadadada - low) & ~word & (low + 0x3f3f3f3f) & 0x80808080) !== 0) break;
  }
  return at;
}
