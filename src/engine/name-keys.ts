/** Two numbers made from the secret of the installation: without it nobody can find two names with one fingerprint. */
export type HashKey = { readonly first: number; readonly second: number };

const SECRET_BYTES = 8;

export function hashKey(secret: Uint8Array): HashKey {
  if (secret.length !== SECRET_BYTES) throw new RangeError(`the secret of fingerprints has ${SECRET_BYTES} bytes`);
  const view = new DataView(secret.buffer, secret.byteOffset);
  return { first: view.getInt32(0, true), second: view.getInt32(4, true) };
}

/**
 * The 64-bit fingerprints of a name and of all names above it. The index is the number of labels: `high[1]` belongs
 * to the last label alone, `high[count]` to the whole name. One object serves a thread for all its queries.
 */
export type NameKeys = {
  count: number;
  readonly high: Int32Array;
  readonly low: Int32Array;
  /** Where each label begins, from the left, counted from the start of the name. */
  readonly starts: Uint8Array;
  /** The words of all labels in lower case, each label's with its length in front and zeros behind. */
  readonly words: Int32Array;
  wordCount: number;
  /** The name may have letters that are written in several. */
  isOdd: boolean;
  /** Holds a name that stands too near to the end of its buffer to be read in words. */
  readonly copy: Uint8Array;
};

const MAX_LABELS = 127;
const MAX_NAME = 255;
const WORD = 4;

export const createNameKeys = (): NameKeys => ({
  count: 0,
  high: new Int32Array(MAX_LABELS + 1),
  low: new Int32Array(MAX_LABELS + 1),
  starts: new Uint8Array(MAX_LABELS + 1),
  words: new Int32Array(MAX_LABELS + 1),
  wordCount: 0,
  isOdd: false,
  copy: new Uint8Array(MAX_NAME + WORD),
});

/** Where the last `labels` labels of the name begin, counted from its start. */
export const startOf = (keys: NameKeys, labels: number): number => keys.starts[keys.count - labels]!;

/**
 * Reads an uncompressed name. Labels are hashed from the right, each with its length in front and zeros up to a
 * whole word, so that one pass meets every name above it, and no two names are the same words.
 *
 * The hash is HalfSipHash with one round a word and three at the end. Of its last state both halves are taken, where
 * the standard goes three more rounds for the second: nobody ever sees a fingerprint who could learn from it.
 * The round is written out twice, because a function can return only one of its four numbers.
 */
export function readNameKeys(key: HashKey, bytes: Uint8Array, at: number, into: NameKeys): void {
  const end = findLabels(bytes, at, into);
  if (end + WORD > bytes.length && bytes !== into.copy) {
    copyName(bytes, at, end, into.copy);
    readNameKeys(key, into.copy, 0, into);
    return;
  }
  const { count, starts, high, low, words } = into;
  let wordCount = 0;
  let odd = 0;
  let v0 = key.first;
  let v1 = key.second;
  let v2 = key.first ^ 0x6c796765;
  let v3 = key.second ^ 0x74656462;
  for (let labels = 1; labels <= count; labels++) {
    let from = at + starts[count - labels]!;
    // Letters that are not odd stand for the length and for what is missing at the end.
    let kept = ~0xff;
    let fill = PLAIN & 0xff;
    for (let left = bytes[from]! + 1; left > 0; left -= WORD, from += WORD) {
      let word = bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24);
      if (left < WORD) {
        const mask = (1 << (left << 3)) - 1;
        word &= mask;
        fill |= PLAIN & ~mask;
      }
      word = lowerCase(word);
      words[wordCount] = word;
      wordCount += 1;
      odd |= oddBytes((word & kept) | fill);
      kept = -1;
      fill = 0;
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= word;
    }
    finish(v0, v1, v2, v3, high, low, labels);
  }
  into.wordCount = wordCount;
  into.isOdd = (odd & 0x80808080) !== 0;
}

const PLAIN = 0x61616161;

/** The first bit of each byte that is no letter, digit, hyphen or the like; also that of a dot and of a backslash. */
const oddBytes = (word: number): number =>
  word |
  (word + 0x01010101) |
  ((word - 0x2d2d2d2d) & ~word) |
  zeroBytes(word ^ 0x2e2e2e2e) |
  zeroBytes(word ^ 0x5c5c5c5c);

const zeroBytes = (word: number): number => (word - 0x01010101) & ~word;

function finish(
  v0: number,
  v1: number,
  v2: number,
  v3: number,
  high: Int32Array,
  low: Int32Array,
  labels: number,
): void {
  v2 ^= 0xff;
  for (let round = 0; round < 3; round++) {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  high[labels] = v1 ^ v3;
  low[labels] = v0 ^ v2;
}

/** Byte by byte, because a part of an array is an object of its own. */
function copyName(bytes: Uint8Array, at: number, end: number, copy: Uint8Array): void {
  const length = Math.min(end - at, MAX_NAME - 1);
  for (let byte = 0; byte < length; byte++) copy[byte] = bytes[at + byte]!;
  copy.fill(0, length);
}

/** Where the root byte stands. */
function findLabels(bytes: Uint8Array, at: number, into: NameKeys): number {
  const { starts } = into;
  let count = 0;
  let label = at;
  for (let length = bytes[label]!; length > 0 && count < MAX_LABELS; length = bytes[label]!) {
    starts[count] = label - at;
    count += 1;
    label += length + 1;
  }
  into.count = count;
  return label;
}

/** Four bytes at once. A capital plus 0x3f passes 0x7f and plus 0x25 does not; lengths are below the capitals. */
function lowerCase(word: number): number {
  const low = word & 0x7f7f7f7f;
  const capitals = (low + 0x3f3f3f3f) & ~(low + 0x25252525) & ~word & 0x80808080;
  return word | (capitals >>> 2);
}
