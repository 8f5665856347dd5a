// Fingerprints of a name and all its parents. The caller writes the wire name to `name` and reads the results from the other
// columns.

import { DOT, VECTOR } from './bytes';
import { fingerprint, firstKeys, nextKeys, oneProduct, otherProduct, PIECE, upToPiece } from './name-hash';
import { getVerdict } from './verdict-cache';

const MAX_LABELS = 127;
/** Upper bound for a name plus a label that starts at its maximum end. */
const ROOM = 512;
/** Maximum length of a name. */
const WHOLE: usize = 256;
const BACKSLASH: u8 = 0x5c;

export const name = memory.data(ROOM + 16, 16);
/** Offset of each label, from the left. */
export const starts = memory.data(MAX_LABELS + 1, 16);
/** Indexed by number of labels. */
export const high = memory.data((MAX_LABELS + 1) * 4, 16);
export const low = memory.data((MAX_LABELS + 1) * 4, 16);
/** Lower-case words of four bytes: each label with its length byte and zero padding, last label first. */
export const words = memory.data(2 * ROOM, 16);

/** Bloom filters of shortcuts, selected by the caller; the first stays empty. */
const FILTERS = 16;
const FILTER_BYTES = 8192;
export const filters = memory.data(FILTERS * FILTER_BYTES, 16);

/** The name is longer than the given bytes. */
const MORE_IS_NEEDED = -1;
const ODD = 1 << 16;
const MAY_MEET = 1 << 17;
const CACHED = 1 << 18;

/**
 * Returns the number of labels and words and whether the verdict is cached. If not, also whether the name may contain bytes
 * that need escaping, and whether the filter may contain one of its words.
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
  return found | (getVerdict(all, rules) ? CACHED : lookAtWords(filter, wordsEnd));
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
 * Lowest bit: whether the filter may contain the word, its last three or its first three bytes. All three share the
 * middle bytes, from which one index is computed; see `addShortcut` in src/engine/shortcut-index.ts.
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

/** Label lengths are below "A". */
function lowerCase(bytes: v128): v128 {
  const isCapital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(bytes, v128.and(isCapital, i8x16.splat(0x20)));
}

/** Bit mask of bytes that are not plain host name characters; includes dots and backslashes. */
function oddBytes(bytes: v128): i32 {
  const isOutside = v128.or(i8x16.lt_u(bytes, i8x16.splat(0x2d)), i8x16.ge_u(bytes, i8x16.splat(0x7f)));
  const isWritten = v128.or(i8x16.eq(bytes, i8x16.splat(DOT)), i8x16.eq(bytes, i8x16.splat(BACKSLASH)));
  return i8x16.bitmask(v128.or(isOutside, isWritten));
}
