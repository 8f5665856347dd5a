// The hash of names. It is taken in pieces of sixteen bytes, labels from the right, each with its length in front and zeros up
// to a whole piece: so one pass meets the hash of every name above, and no two names are the same pieces.
//
// Each quarter of a piece has keys of its own, made from the secret of the installation, to which it is added before quarters
// are multiplied in pairs. The upper half of the sum of products is the same for two names with a chance of 2^-32, whatever
// the names (it is "Multilinear-HM" of Lemire and Kaser); two such sums, with different keys, make the fingerprint. No product
// waits for the one before it.

export const PIECE: i32 = 16;
/** More than any name has, and than what is no name but read as one. */
const MAX_PIECES = 144;
/** Of eight bytes, two for each pair in each of both sums. */
const KEYS = 8;
const KEYS_BYTES: usize = 64;

export const firstKeys = memory.data(MAX_PIECES * KEYS * 8, 16);
const ALL_KEYS: usize = MAX_PIECES * KEYS * 8;

const STEP: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const FACTOR: u64 = ((<u64>0xd6e8feb8) << 32) | 0x6659fd93;
const UPPER: u64 = (<u64>0xffffffff) << 32;

const places = memory.data<u8>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 16);

let known: u64 = 0;
let isKnown = false;

/** To be called before anything is hashed; makes the keys if it is another secret than before. */
export function useSecret(first: u32, second: u32): void {
  const secret = ((<u64>second) << 32) | <u64>first;
  if (isKnown && secret === known) return;
  isKnown = true;
  known = secret;
  let state = mixed(secret);
  for (let at: usize = 0; at < ALL_KEYS; at += 8) {
    state += STEP;
    store<u64>(firstKeys + at, mixed(mixed(state)));
  }
}

export function nextKeys(keys: usize): usize {
  return keys + KEYS_BYTES;
}

/** The first so many bytes of a piece, or all if there are more; zeros instead of the others. */
export function upToPiece(bytes: v128, count: i32): v128 {
  return v128.and(bytes, i8x16.lt_u(v128.load(places), i8x16.splat(<i8>count)));
}

export function oneProduct(piece: v128, keys: usize): u64 {
  return product(i64x2.extract_lane(piece, 0), keys) + product(i64x2.extract_lane(piece, 1), keys + 16);
}

export function otherProduct(piece: v128, keys: usize): u64 {
  return oneProduct(piece, keys + 32);
}

function product(word: u64, keys: usize): u64 {
  return ((word & 0xffffffff) + load<u64>(keys)) * ((word >>> 32) + load<u64>(keys, 8));
}

/** The fingerprint from both sums. What is mixed stays different, and keeps no order that the sums had. */
export function fingerprint(one: u64, other: u64): u64 {
  return mixed((one & UPPER) | (other >>> 32));
}

function mixed(word: u64): u64 {
  const folded = (word ^ (word >>> 32)) * FACTOR;
  return folded ^ (folded >>> 29);
}
