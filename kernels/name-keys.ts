// The fingerprints of a name and of all names above it. The caller writes the beginning of the name, as it stands on the
// wire, to `name`, and takes what came of it from the other columns.

import { VECTOR } from './bytes';
import { START_0, START_1, START_2, START_3, storeHash } from './sip-hash';

const MAX_LABELS = 127;
/** Longer than any name, and than a label that begins where a name must have ended. */
const ROOM = 512;
/** So many bytes are all of any name. */
const WHOLE: usize = 256;

export const name = memory.data(ROOM + 16, 16);
/** Where each label begins, from the left. */
export const starts = memory.data(MAX_LABELS + 1, 16);
/** By the number of labels. */
export const high = memory.data((MAX_LABELS + 1) * 4, 16);
export const low = memory.data((MAX_LABELS + 1) * 4, 16);
/** In lower case and in words of four bytes: each label with its length in front and zeros behind, the last label first. */
export const words = memory.data((MAX_LABELS + 1) * 4 + 16, 16);

/** Filters of grams, of which the caller says which one is meant; the first stays empty. */
const FILTERS = 16;
const FILTER_BYTES = 8192;
export const filters = memory.data(FILTERS * FILTER_BYTES, 16);

/** The name does not end within the bytes that are there. */
const MORE_IS_NEEDED = -1;
const ODD = 1 << 16;
const MAY_MEET = 1 << 17;

/**
 * Labels are hashed from the right, each with its length in front and zeros up to a whole word, so that one pass meets
 * every name above, and no two names are the same words. The hash is SipHash with one round a word and three at the end;
 * the three are left out for numbers of labels that are not wanted.
 *
 * Says how many labels there are, how many words, whether the name may have letters that are written in several, and whether
 * the filter may know one of its words.
 */
export function hashName(first: u32, second: u32, wanted: u32, filter: usize, bytes: usize): i32 {
  const count = findLabels(bytes);
  if (count < 0) return MORE_IS_NEEDED;
  const secret = ((<u64>second) << 32) | <u64>first;
  let wordsEnd = words;
  let known: u32 = 0;
  let v0 = secret ^ START_0;
  let v1 = secret ^ START_1;
  let v2 = secret ^ START_2;
  let v3 = secret ^ START_3;
  for (let labels = 1; labels <= count; labels++) {
    let from = name + <usize>load<u8>(starts + (count - labels));
    for (let left = <i32>load<u8>(from) + 1; left > 0; left -= 8) {
      let word = load<u64>(from);
      if (left < 8) word &= ((<u64>1) << (left << 3)) - 1;
      store<u64>(wordsEnd, word);
      known |= knows(filter, <u32>word) | knows(filter, <u32>(word >>> 32));
      wordsEnd += left > 4 ? 8 : 4;
      from += 8;
      v3 ^= word;
      v0 += v1;
      v2 += v3;
      v1 = rotl(v1, 13) ^ v0;
      v3 = rotl(v3, 16) ^ v2;
      v0 = rotl(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = rotl(v1, 17) ^ v2;
      v3 = rotl(v3, 21) ^ v0;
      v2 = rotl(v2, 32);
      v0 ^= word;
    }
    if (((wanted >>> min(labels, 31)) & 1) !== 0 || labels === count)
      storeHash(high + ((<usize>labels) << 2), low + ((<usize>labels) << 2), v0, v1, v2, v3);
  }
  return count | ((<i32>((wordsEnd - words) >> 2)) << 8) | isOdd | ((known & 1) !== 0 ? MAY_MEET : 0);
}

/** In the last bit: whether a gram is known that is the word, its last three letters or its first three. */
function knows(filter: usize, word: u32): u32 {
  return (
    bitAt(filter, word * 0x9e3779b1) |
    bitAt(filter, (word >>> 8) * 0x85ebca6b) |
    bitAt(filter, (word << 8) * 0xc2b2ae35)
  );
}

function bitAt(filter: usize, mixed: u32): u32 {
  return load<u32>(filter + ((<usize>(mixed >>> 21)) << 2)) >>> (mixed >>> 16);
}

let isOdd = 0;

/** Also brings all letters to lower case; lengths are below the capitals. */
function findLabels(bytes: usize): i32 {
  let count = 0;
  let lowLengths = 0;
  let at: usize = 0;
  while (at < bytes && count < MAX_LABELS) {
    const length = <usize>load<u8>(name + at);
    if (length === 0) break;
    store<u8>(starts + count, <u8>at);
    count++;
    if (length < FIRST_PLAIN) lowLengths++;
    at += length + 1;
  }
  if (at >= bytes && bytes < WHOLE) return MORE_IS_NEEDED;
  isOdd = lowerCase(min(at, WHOLE)) > lowLengths ? ODD : 0;
  return count;
}

const FIRST_PLAIN: u8 = 0x2d;
const FIRST_BEHIND: u8 = 0x7f;

/** Says how many bytes are odd: no letters, digits, hyphens or the like; also dots, backslashes and most lengths. */
function lowerCase(length: usize): i32 {
  let odd = i8x16.splat(0);
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (let at: usize = 0; at < length; at += VECTOR) {
    const read = v128.load(name + at);
    const capitals = i8x16.lt_u(i8x16.sub(read, i8x16.splat(0x41)), i8x16.splat(26));
    const lower = v128.or(read, v128.and(capitals, i8x16.splat(0x20)));
    v128.store(name + at, lower);
    const strange = v128.or(
      i8x16.ge_u(i8x16.sub(lower, i8x16.splat(FIRST_PLAIN)), i8x16.splat(FIRST_BEHIND - FIRST_PLAIN)),
      v128.or(i8x16.eq(lower, i8x16.splat(0x2e)), i8x16.eq(lower, i8x16.splat(0x5c))),
    );
    const isInside = i8x16.lt_u(places, i8x16.splat(<u8>min(length - at, VECTOR)));
    odd = i8x16.sub(odd, v128.and(strange, isInside));
  }
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(odd));
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
