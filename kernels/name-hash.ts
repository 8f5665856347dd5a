// Hash of names in blocks of sixteen bytes, labels from right to left, each with its length byte and zero padding to a whole
// block: one pass yields the hash of every parent, and different names have different blocks.
//
// Multilinear-HM (Lemire and Kaser): each quarter of a block is added to its own key, derived from the installation's secret, and
// quarters are multiplied in pairs. The upper half of the sum collides for two given names with probability 2^-32; two sums
// with different keys form the fingerprint. The products do not depend on each other.

export const PIECE: i32 = 16;
/** Upper bound for blocks, also for input that is not a valid name. */
const MAX_PIECES = 144;
/** Eight bytes each, two per pair and sum. */
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

/** Call before hashing; derives the keys when the secret has changed. */
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

/** The first `count` bytes of a block, zero-padded. */
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

/** Fingerprint from both sums. The mixing is bijective and removes ordering. */
export function fingerprint(one: u64, other: u64): u64 {
  return mixed((one & UPPER) | (other >>> 32));
}

function mixed(word: u64): u64 {
  const folded = (word ^ (word >>> 32)) * FACTOR;
  return folded ^ (folded >>> 29);
}
