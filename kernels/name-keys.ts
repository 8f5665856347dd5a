// The fingerprints of a name and of all names above it. The caller writes the beginning of the name, as it stands on the
// wire, to `name`, and takes what came of it from the other columns.

import { fingerprint, firstKeys, nextKeys, oneProduct, otherProduct } from './name-hash';

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
 * Says how many labels there are, how many words, whether the name may have letters that are written in several, and whether
 * the filter may know one of its words.
 */
export function hashName(filter: usize, bytes: usize): i32 {
  const count = findLabels(bytes);
  if (count < 0) return MORE_IS_NEEDED;
  let wordsEnd = words;
  let keys = firstKeys;
  let met: u64 = 0;
  let odd: u64 = 0;
  let one: u64 = 0;
  let other: u64 = 0;
  for (let labels = 1; labels <= count; labels++) {
    let from = name + <usize>load<u8>(starts + (count - labels));
    let isFirst: u64 = 0xff;
    for (let left = <i32>load<u8>(from) + 1; left > 0; left -= 8) {
      const outside = left < 8 ? ~(<u64>0) << (left << 3) : 0;
      let word = load<u64>(from) & ~outside;
      const letters = word | ((outside | isFirst) & LETTERS);
      if (isSuspect(letters)) {
        odd |= oddBytes((letters & ~isFirst) | (isFirst & LETTERS));
        word = lowerCase(word);
      }
      store<u64>(wordsEnd, word);
      met |= knows(filter, <u32>word) | knows(filter, <u32>(word >>> 32));
      wordsEnd += left > 4 ? 8 : 4;
      from += 8;
      isFirst = 0;
      one += oneProduct(word, keys);
      other += otherProduct(word, keys);
      keys = nextKeys(keys);
    }
    const all = fingerprint(one, other);
    store<u32>(high + ((<usize>labels) << 2), <u32>(all >>> 32));
    store<u32>(low + ((<usize>labels) << 2), <u32>all);
  }
  const wordCount = <i32>((wordsEnd - words) >> 2);
  return count | (wordCount << 8) | ((odd & TOP_BITS) !== 0 ? ODD : 0) | ((met & 1) !== 0 ? MAY_MEET : 0);
}

/**
 * In the last bit: whether a gram may be known that is the word, its last three letters or its first three. All three have
 * the letters in the middle, by which one number is found for them; see `addGram` in src/engine/grams.ts.
 */
function knows(filter: usize, word: u32): u64 {
  const all = load<u64>(filter + ((<usize>(((word >>> 8) & 31) | ((word >>> 11) & 0x3e0))) << 3));
  const byFirst = all >>> (word & 15);
  const byLast = all >>> (16 | ((word >>> 24) & 15));
  return byFirst | byLast | ((byFirst & byLast) >>> 32);
}

function findLabels(bytes: usize): i32 {
  let count = 0;
  let at: usize = 0;
  while (at < bytes && count < MAX_LABELS) {
    const length = <usize>load<u8>(name + at);
    if (length === 0) break;
    store<u8>(starts + count, <u8>at);
    count++;
    at += length + 1;
  }
  return at >= bytes && bytes < WHOLE ? MORE_IS_NEEDED : count;
}

// Eight bytes at once: what is added to a byte without its top bit carries into that bit if the byte is large enough.
const EACH: u64 = ((<u64>0x01010101) << 32) | 0x01010101;
const TOP_BITS: u64 = 0x80 * EACH;
const OTHER_BITS: u64 = 0x7f * EACH;
/** A byte that is neither odd nor a capital, eight times. */
const LETTERS: u64 = 0x60 * EACH;

/** Whether there may be capitals or odd bytes: all that is not from 0x30 to 0x3f or from 0x60 to 0x7e. */
function isSuspect(word: u64): bool {
  const isHigh = (word | (word + EACH)) & TOP_BITS;
  return ((~word & (0x20 * EACH)) | isHigh | (~(word | (word << 2)) & (0x40 * EACH))) !== 0;
}

/** Lengths of labels are below the capitals. */
function lowerCase(word: u64): u64 {
  const rest = word & OTHER_BITS;
  const isCapital = ((rest + (0x80 - 0x41) * EACH) ^ (rest + (0x80 - 0x5b) * EACH)) & ~word & TOP_BITS;
  return word | (isCapital >>> 2);
}

/** In the top bits: which bytes are no letters, digits, hyphens or the like; also dots and backslashes. */
function oddBytes(word: u64): u64 {
  const rest = word & OTHER_BITS;
  const isHighEnough = rest + (0x80 - 0x2d) * EACH;
  const isBehind = rest + (0x80 - 0x7f) * EACH;
  const isNoDot = (rest ^ (0x2e * EACH)) + OTHER_BITS;
  const isNoBackslash = (rest ^ (0x5c * EACH)) + OTHER_BITS;
  return word | isBehind | ~(isHighEnough & isNoDot & isNoBackslash);
}
