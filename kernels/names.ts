import { clear, countPicked, end, get, hash, nameEnd, nameStart, pick, pickNone, set, start, traits } from './block';
import { BAR, CARET, copyVectors, DASH, DOT, SPACE, UNDERSCORE } from './bytes';
import { hashByte, SEED } from './hash';
import { maySuffix } from './suffixes';

/** The line does not have the form `||name^` yet. */
export const TO_BE_WRITTEN: u8 = 1;
/** At least two valid lower-case labels, and not a public suffix. */
export const NORMALIZED: u8 = 2;

const MAX_LABEL: usize = 63;
const MAX_NAME: usize = 253;
/** Minimum length of a plain domain. */
const MIN_PLAIN: usize = 5;

const LOWER: u8 = 1;
const DIGIT_OR_DASH: u8 = 2;
const UPPER: u8 = 4;
const UNDERSCORES: u8 = 8;
const DOTS: u8 = 16;

const kinds = memory.data(256);
for (let byte: u8 = 0x61; byte <= 0x7a; byte++) store<u8>(kinds + byte, LOWER);
for (let byte: u8 = 0x41; byte <= 0x5a; byte++) store<u8>(kinds + byte, UPPER);
for (let byte: u8 = 0x30; byte <= 0x39; byte++) store<u8>(kinds + byte, DIGIT_OR_DASH);
store<u8>(kinds + DASH, DIGIT_OR_DASH);
store<u8>(kinds + DOT, DOTS);
store<u8>(kinds + UNDERSCORE, UNDERSCORES);

/** Reads the simple names of the block; picks all other lines. */
export function readNames(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) {
    if (readSimpleName(line)) continue;
    set(nameEnd, line, 0);
    pick(first + line);
  }
  return countPicked();
}

/** Picks the lines that may be invalid rules. */
export function pickUnnormalized(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) {
    if (load<u8>(clear + line) === 1) continue;
    if (!readSimpleName(line) || (load<u8>(traits + line) & NORMALIZED) === 0) pick(first + line);
  }
  return countPicked();
}

/**
 * Parses `||name^`, `name` or `0.0.0.0 name` backwards: one pass recognises, validates and hashes the name and its parents.
 * Nearly all lines of lists have one of these forms; returns false for all others, even if the parser would accept them.
 */
function readSimpleName(line: i32): bool {
  const lineStart = get(start, line);
  const lineEnd = get(end, line);
  // Empty, possibly at the start of the memory.
  if (lineStart === lineEnd) return false;
  const isRule = load<u8>(lineEnd - 1) === CARET;
  if (isRule && (load<u8>(lineStart) !== BAR || load<u8>(lineStart + 1) !== BAR)) return false;
  const last = isRule ? lineEnd - 1 : lineEnd;
  const stop = isRule ? lineStart + 2 : lineStart;

  let itsHash = SEED;
  let parentHash = SEED;
  let dots = 0;
  let seen: u8 = 0;
  let seenInTop: u8 = 0;
  let labelEnd = last;
  let proper = true;
  let first = last;
  for (; first > stop; first--) {
    const byte = load<u8>(first - 1);
    const kind = load<u8>(kinds + byte);
    if (kind === 0) break;
    if (kind === DOTS) {
      proper = proper && isLabel(first, labelEnd);
      labelEnd = first - 1;
      if (dots++ === 0) seenInTop = seen;
      parentHash = itsHash;
    }
    seen |= kind;
    itsHash = hashByte(itsHash, byte);
  }

  if (first >= last) return false;
  proper = proper && isLabel(first, labelEnd);
  const isLower = (seen & (UPPER | UNDERSCORES)) === 0;
  const fits = last - first <= MAX_NAME;
  const isPlain = first === lineStart;
  if (first > stop) {
    // Text before the name: the address of a hosts line, otherwise the line is not simple.
    if (isRule || load<u8>(first - 1) !== SPACE || !isAddress(lineStart, first - 1)) return false;
  } else if (isRule ? !isLower : !proper || dots === 0 || !fits || (seen & UNDERSCORES) !== 0) {
    return false;
  }

  const isNormalized =
    proper &&
    dots > 0 &&
    isLower &&
    fits &&
    (seenInTop & LOWER) !== 0 &&
    !maySuffix(itsHash, parentHash) &&
    (last - first >= MIN_PLAIN || !isPlain);
  set(nameStart, line, first);
  set(nameEnd, line, last);
  set(hash, line, itsHash);
  store<u8>(traits + line, (isRule ? 0 : TO_BE_WRITTEN) | (isNormalized ? NORMALIZED : 0));
  return true;
}

function isLabel(from: usize, to: usize): bool {
  return to > from && to - from <= MAX_LABEL && load<u8>(from) !== DASH && load<u8>(to - 1) !== DASH;
}

/** Digits and dots only; other address forms are left to the parser. */
function isAddress(from: usize, to: usize): bool {
  for (let at = from; at < to; at++) {
    const byte = load<u8>(at);
    if (byte !== DOT && (byte < 0x30 || byte > 0x39)) return false;
  }
  return to > from;
}

/**
 * Writes `||name^` for the names that need it at the given offset, updates their lines, and marks valid unique ones. Returns
 * the end offset.
 */
export function writeNames(count: i32, place: usize): usize {
  let to = place;
  for (let line = 0; line < count; line++) {
    const last = get(nameEnd, line);
    const its = load<u8>(traits + line);
    store<u8>(clear + line, last !== 0 && (its & NORMALIZED) !== 0 ? 1 : 0);
    if (last === 0 || (its & TO_BE_WRITTEN) === 0) continue;
    set(start, line, to);
    store<u8>(to++, BAR);
    store<u8>(to++, BAR);
    const length = last - get(nameStart, line);
    copyVectors(to, get(nameStart, line), length);
    to += length;
    store<u8>(to++, CARET);
    set(end, line, to);
  }
  return to;
}
