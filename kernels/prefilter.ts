// Prefilters: each picks the candidate lines of a block at a few instructions per line. They may pick too many lines, never
// too few.

import { clear, countPicked, end, get, pick, pickNone, start } from './block';
import { BANG, DOLLAR, HASH, SPACE, VECTOR } from './bytes';
import { isAscii } from './is-ascii';

/** Lines that may be comments or directives. */
export function pickMarked(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) {
    const byte = load<u8>(get(start, line));
    if (byte === BANG || byte === HASH) pick(first + line);
  }
  return countPicked();
}

/** Lines that may start or end with white space, or contain nothing else. */
export function pickEdged(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) if (isEdged(get(start, line), get(end, line))) pick(first + line);
  return countPicked();
}

/** The same, and lines with a `$`; lines marked as valid are skipped. */
export function pickEdgedOrModified(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) {
    if (load<u8>(clear + line) === 1) continue;
    const from = get(start, line);
    const to = get(end, line);
    if (isEdged(from, to) || hasByte(from, to, DOLLAR)) pick(first + line);
  }
  return countPicked();
}

function isEdged(from: usize, to: usize): bool {
  return from === to || isPerhapsBlank(load<u8>(from)) || isPerhapsBlank(load<u8>(to - 1));
}

/** Includes the bytes of non-ASCII white space. */
function isPerhapsBlank(byte: u8): bool {
  return byte <= SPACE || byte >= 0x80;
}

function hasByte(from: usize, to: usize, byte: u8): bool {
  for (let at = from; at < to; at += VECTOR) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(byte)));
    if (hits !== 0) return at + ctz(hits) < to;
  }
  return false;
}

/** Lines with a non-ASCII byte. */
export function pickNonAscii(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) if (!isAscii(get(start, line), get(end, line))) pick(first + line);
  return countPicked();
}

/** Lines with a capital letter. */
export function pickCapital(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) if (hasCapital(get(start, line), get(end, line))) pick(first + line);
  return countPicked();
}

function hasCapital(from: usize, to: usize): bool {
  for (let at = from; at < to; at += VECTOR) {
    const letters = i8x16.sub(v128.load(at), i8x16.splat(0x41));
    const hits = i8x16.bitmask(i8x16.lt_u(letters, i8x16.splat(26)));
    if (hits !== 0) return at + ctz(hits) < to;
  }
  return false;
}
