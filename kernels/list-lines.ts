// Parses and hashes the lines of a list that are a single domain in a common form. Lines with capitals, addresses, single
// labels or possible local host names (`localhost.localdomain`) are left to the parser, which must agree on every line parsed
// here.

import { BANG, BAR, CARET, CR, DASH, DOT, LF, UNDERSCORE, VECTOR } from './bytes';
import { fingerprint, firstKeys, nextKeys, oneProduct, otherProduct, PIECE, upToPiece, useSecret } from './name-hash';

/** Lines per call. */
const BLOCK = 2048;

/** Per line: start, end, kind, and for a domain both halves of its fingerprint. */
export const lineStart = memory.data(BLOCK * 4, 16);
export const lineEnd = memory.data(BLOCK * 4, 16);
export const lineKind = memory.data(BLOCK * 4, 16);
export const lineHigh = memory.data(BLOCK * 4, 16);
export const lineLow = memory.data(BLOCK * 4, 16);
/** Start of the text, after the kernels' own data; the byte before it is readable. */
export const textStart = __heap_base + 16;

// Kinds of lines. A domain has its form in the low bits and its number of labels above.
const NEEDS_PARSER: u32 = 0;
const COMMENT: u32 = 1;
const BLOCKED: u32 = 2;
const ALLOWED: u32 = 3;
const ZERO: u32 = 4;
const LOOPBACK: u32 = 5;
const ALONE: u32 = 6;
const LABELS_SHIFT = 8;

const MAX_NAME: usize = 253;
const MAX_LABEL = 63;
/** `0.0.0.0 ` and the first bytes of `127.0.0.1 `. */
const ZERO_FRONT: u64 = ((<u64>0x20302e30) << 32) | 0x2e302e30;
const LOOPBACK_FRONT: u64 = ((<u64>0x2e302e30) << 32) | 0x2e373231;
const AT: u8 = 0x40;
const SMALL_L: u8 = 0x6c;

const isNameByte = memory.data(256);
for (let byte: u8 = 0x61; byte <= 0x7a; byte++) store<u8>(isNameByte + byte, 1);
for (let byte: u8 = 0x30; byte <= 0x39; byte++) store<u8>(isNameByte + byte, 1);
store<u8>(isNameByte + DASH, 1);
store<u8>(isNameByte + UNDERSCORE, 1);

let next: usize = 0;
let textEnd: usize = 0;

/** The text must be followed by space for one vector. */
export function beginText(from: usize, to: usize, first: u32, second: u32): void {
  next = from;
  textEnd = to;
  useSecret(first, second);
}

/** Reads the next lines and returns their number. Lines end with LF; a CR before it is dropped. */
export function readLines(): i32 {
  let count = 0;
  for (; count < BLOCK && next < textEnd; count++) {
    const from = next;
    let to = endOfLine(from);
    next = to + 1;
    if (to > from && load<u8>(to - 1) === CR) to--;
    const column = (<usize>count) << 2;
    store<u32>(lineStart + column, from);
    store<u32>(lineEnd + column, to);
    store<u32>(lineKind + column, readLine(from, to, column));
  }
  return count;
}

function endOfLine(from: usize): usize {
  for (let at = from; at < textEnd; at += VECTOR) {
    const feeds = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(LF)));
    if (feeds !== 0) return min(at + ctz(feeds), textEnd);
  }
  return textEnd;
}

function readLine(from: usize, to: usize, column: usize): u32 {
  if (from === to) return NEEDS_PARSER;
  const first = load<u8>(from);
  if (first === BANG) return COMMENT;
  const shape = shapeOf(first, from, to);
  const isClosed = shape <= ALLOWED;
  if (isClosed && load<u8>(to - 1) !== CARET) return NEEDS_PARSER;
  const start = from + frontOf(shape);
  const stop = isClosed ? to - 1 : to;
  if (start >= stop || stop - start > MAX_NAME) return NEEDS_PARSER;
  const labels = hashText(start, stop, isClosed, column);
  return labels === 0 ? NEEDS_PARSER : shape | (labels << LABELS_SHIFT);
}

/** Form of the text before the name; the first match counts. */
function shapeOf(first: u8, from: usize, to: usize): u32 {
  const length = to - from;
  if (first === BAR) return length >= 2 && load<u8>(from + 1) === BAR ? BLOCKED : ALONE;
  if (first === AT) return length >= 4 && load<u32>(from) === 0x7c7c4040 ? ALLOWED : ALONE;
  if (length >= 8 && load<u64>(from) === ZERO_FRONT) return ZERO;
  if (length >= 10 && load<u64>(from) === LOOPBACK_FRONT && load<u16>(from + 8) === 0x2031) return LOOPBACK;
  return ALONE;
}

function frontOf(shape: u32): usize {
  switch (shape) {
    case BLOCKED:
      return 2;
    case ALLOWED:
      return 4;
    case ZERO:
      return 8;
    case LOOPBACK:
      return 10;
    default:
      return 0;
  }
}

/**
 * Hashes a name of several labels, last label first, and returns their number; 0 if the name is not accepted here. Equals
 * `hashName`: the length byte of a label is in the position of the preceding dot, as on the wire.
 */
function hashText(start: usize, stop: usize, isClosed: bool, column: usize): u32 {
  let keys = firstKeys;
  let one: u64 = 0;
  let other: u64 = 0;
  let labels: u32 = 0;
  let labelEnd = stop;
  for (let at = stop; ; at--) {
    const byte = at > start ? load<u8>(at - 1) : DOT;
    if (byte !== DOT) {
      if (load<u8>(isNameByte + byte) === 0) return 0;
      continue;
    }
    const length = <i32>(labelEnd - at);
    if (length === 0 || length > MAX_LABEL) return 0;
    if (labels === 0 && !mayBeTop(load<u8>(at), isClosed)) return 0;
    let from = at - 1;
    let piece = upToPiece(i8x16.replace_lane(v128.load(from), 0, <i8>length), length + 1);
    for (let left = length + 1; ; ) {
      one += oneProduct(piece, keys);
      other += otherProduct(piece, keys);
      keys = nextKeys(keys);
      left -= PIECE;
      if (left <= 0) break;
      from += VECTOR;
      piece = upToPiece(v128.load(from), left);
    }
    labels++;
    if (at === start) break;
    labelEnd = at - 1;
  }
  if (labels < 2) return 0;
  const all = fingerprint(one, other);
  store<u32>(lineHigh + column, <u32>(all >>> 32));
  store<u32>(lineLow + column, <u32>all);
  return labels;
}

/** Names that end in digits are addresses; some names in hosts files are local host names. */
function mayBeTop(byte: u8, isClosed: bool): bool {
  return byte >= 0x61 && byte <= 0x7a && (byte !== SMALL_L || isClosed);
}
