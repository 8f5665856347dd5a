// The hash of names. It is taken in words of eight bytes, labels from the right, each with its length in front and zeros up
// to a whole word: so one pass meets the hash of every name above, and no two names are the same words.
//
// Each word has keys of its own, made from the secret of the installation, to which its halves are added before they are
// multiplied. The upper half of the sum of products is the same for two names with a chance of 2^-32, whatever the names
// (it is "Multilinear-HM" of Lemire and Kaser); two such sums, with different keys, make the fingerprint. No product
// waits for the one before it.

const MAX_WORDS = 128;
/** Four of eight bytes. */
const KEYS: usize = 32;
const LANE: usize = 16;

export const firstKeys = memory.data(MAX_WORDS * 32, 16);
const ALL_KEYS: usize = MAX_WORDS * 32;

const STEP: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const FACTOR: u64 = ((<u64>0xd6e8feb8) << 32) | 0x6659fd93;
const UPPER: u64 = (<u64>0xffffffff) << 32;

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
  return keys + KEYS;
}

export function oneProduct(word: u64, keys: usize): u64 {
  return ((word & 0xffffffff) + load<u64>(keys)) * ((word >>> 32) + load<u64>(keys, 8));
}

export function otherProduct(word: u64, keys: usize): u64 {
  return oneProduct(word, keys + LANE);
}

/** The fingerprint from both sums. What is mixed stays different, and keeps no order that the sums had. */
export function fingerprint(one: u64, other: u64): u64 {
  return mixed((one & UPPER) | (other >>> 32));
}

function mixed(word: u64): u64 {
  const folded = (word ^ (word >>> 32)) * FACTOR;
  return folded ^ (folded >>> 29);
}
