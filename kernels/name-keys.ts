// The fingerprints of a name and of all names above it. The caller writes the beginning of the name, as it stands on the
// wire, to `name`, and takes what came of it from the other columns.

import { DOT, VECTOR } from './bytes';
import { fingerprint, firstKeys, nextKeys, oneProduct, otherProduct, PIECE, upToPiece } from './name-hash';
import { recall } from './verdicts';

const MAX_LABELS = 127;
/** Longer than any name, and than a label that begins where a name must have ended. */
const ROOM = 512;
/** So many bytes are all of any name. */
const WHOLE: usize = 256;
const BACKSLASH: u8 = 0x5c;

export const name = memory.data(ROOM + 16, 16);
/** Where each label begins, from the left. */
export const starts = memory.data(MAX_LABELS + 1, 16);
/** By the number of labels. */
export const high = memory.data((MAX_LABELS + 1) * 4, 16);
export const low = memory.data((MAX_LABELS + 1) * 4, 16);
/** In lower case and in words of four bytes: each label with its length in front and zeros behind, the last label first. */
export const words = memory.data(2 * ROOM, 16);

/** Filters of grams, of which the caller says which one is meant; the first stays empty. */
const FILTERS = 16;
const FILTER_BYTES = 8192;
export const filters = memory.data(FILTERS * FILTER_BYTES, 16);

/** The name does not end within the bytes that are there. */
const MORE_IS_NEEDED = -1;
const ODD = 1 << 16;
const MAY_MEET = 1 << 17;
const RECALLED = 1 << 18;

/**
 * Says how many labels there are, how many words, and whether it is known what these rules say of the name. If it is not:
 * whether the name may have letters that are written in several, and whether the filter may know one of its words.
 */
export function hashName(filter: usize, bytes: usize, rules: u32): i32 {
  const count = findLabels(bytes);
  if (count < 0) return MORE_IS_NEEDED;
  let wordsEnd = words;
  let keys = firstKeys;
  let one: u64 = 0;
  let other: u64 = 0;
  let all: u64 = 0;
  for (let labels = 1; labels <= count; labels++) {
    let from = name + <usize>load<u8>(starts + (count - labels));
    let left = <i32>load<u8>(from) + 1;
    do {
      const piece = lowerCase(upToPiece(v128.load(from), left));
      v128.store(wordsEnd, piece);
      one += oneProduct(piece, keys);
      other += otherProduct(piece, keys);
      wordsEnd += <usize>((min(left, PIECE) + 3) & ~3);
      keys = nextKeys(keys);
      from += VECTOR;
      left -= PIECE;
    } while (left > 0);
    all = fingerprint(one, other);
    store<u32>(high + ((<usize>labels) << 2), <u32>(all >>> 32));
    store<u32>(low + ((<usize>labels) << 2), <u32>all);
  }
  const found = count | ((<i32>((wordsEnd - words) >> 2)) << 8);
  return found | (recall(all, rules) ? RECALLED : lookAtWords(filter, wordsEnd));
}

function lookAtWords(filter: usize, wordsEnd: usize): i32 {
  let odd = 0;
  let met: u64 = 0;
  for (let at = words; at < wordsEnd; ) {
    let isFirst = 1;
    for (let left = <i32>load<u8>(at) + 1; left > 0; left -= PIECE) {
      const inside = left < PIECE ? (1 << left) - 1 : 0xffff;
      odd |= oddBytes(v128.load(at)) & inside & ~isFirst;
      isFirst = 0;
      const end = at + <usize>((min(left, PIECE) + 3) & ~3);
      for (; at < end; at += 4) met |= knows(filter, load<u32>(at));
    }
  }
  return (odd !== 0 ? ODD : 0) | ((met & 1) !== 0 ? MAY_MEET : 0);
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

/** Lengths of labels are below the capitals. */
function lowerCase(bytes: v128): v128 {
  const isCapital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(bytes, v128.and(isCapital, i8x16.splat(0x20)));
}

/** As bits: which bytes are no letters, digits, hyphens or the like; also dots and backslashes. */
function oddBytes(bytes: v128): i32 {
  const isOutside = v128.or(i8x16.lt_u(bytes, i8x16.splat(0x2d)), i8x16.ge_u(bytes, i8x16.splat(0x7f)));
  const isWritten = v128.or(i8x16.eq(bytes, i8x16.splat(DOT)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)));
  return i8x16.bitmask(v128.or(isOutside, isWritten));
}
