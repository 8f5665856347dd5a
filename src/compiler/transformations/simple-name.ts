import { HASH_SEED, hashByte } from '../lines/byte-table.ts';
import { CLEAR, DOTLESS, MORE_PARENTS, type Names, TO_BE_WRITTEN, topMark } from './names.ts';

const BAR = 0x7c;
const CARET = 0x5e;
const DASH = 0x2d;
const DOT = 0x2e;
const SPACE = 0x20;
const MAX_LABEL = 63;
const MAX_NAME = 253;

const LOWER = 1;
const DIGIT_OR_DASH = 2;
const UPPER = 4;
const UNDERSCORE = 8;
const DOTS = 16;

const kinds = new Uint8Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) kinds[byte] = LOWER;
for (let byte = 0x41; byte <= 0x5a; byte++) kinds[byte] = UPPER;
for (let byte = 0x30; byte <= 0x39; byte++) kinds[byte] = DIGIT_OR_DASH;
kinds[DASH] = DIGIT_OR_DASH;
kinds[DOT] = DOTS;
kinds[0x5f] = UNDERSCORE;

/**
 * Reads `||name^`, `name` or `0.0.0.0 name` from the last byte to the first: in one pass the name is recognised,
 * checked and hashed with its parents. Nearly every line of nearly every list is one of the three; false for all
 * others, also for those that a longer look would take for one.
 */
export function readSimpleName(bytes: Uint8Array, start: number, end: number, at: number, names: Names): boolean {
  const isRule = bytes[end - 1] === CARET;
  if (isRule && (bytes[start] !== BAR || bytes[start + 1] !== BAR)) return false;
  const nameEnd = isRule ? end - 1 : end;
  const stop = isRule ? start + 2 : start;

  let hash = HASH_SEED;
  let dots = 0;
  let seen = 0;
  let seenInTop = 0;
  let labelEnd = nameEnd;
  let proper = true;
  let byteAt = nameEnd - 1;
  for (; byteAt >= stop; byteAt--) {
    const byte = bytes[byteAt]!;
    const kind = kinds[byte]!;
    if (kind === 0) break;
    if (kind === DOTS) {
      proper = proper && isLabel(bytes, byteAt + 1, labelEnd);
      labelEnd = byteAt;
      dots++;
      if (dots === 1) {
        names.topMark[at] = topMark(hash);
        seenInTop = seen;
      } else if (dots === 2) {
        names.parentStart[at] = byteAt + 1;
        names.parentHash[at] = hash;
      }
    }
    seen |= kind;
    hash = hashByte(hash, byte);
  }

  const nameStart = byteAt + 1;
  if (nameStart >= nameEnd) return false;
  proper = proper && isLabel(bytes, nameStart, labelEnd);
  const isLower = (seen & (UPPER | UNDERSCORE)) === 0;
  const fits = nameEnd - nameStart <= MAX_NAME;
  if (byteAt >= stop) {
    // Something stands in front of the name: the address of a hosts line, or this is no simple line.
    if (isRule || bytes[byteAt] !== SPACE || !isAddress(bytes, start, byteAt)) return false;
  } else if (isRule ? !isLower : !proper || dots === 0 || !fits || (seen & UNDERSCORE) !== 0) {
    return false;
  }

  names.start[at] = nameStart;
  names.end[at] = nameEnd;
  names.hash[at] = hash;
  const isClear = proper && dots > 0 && isLower && fits && (seenInTop & LOWER) !== 0;
  names.traits[at] =
    (isRule ? 0 : TO_BE_WRITTEN) | (dots === 0 ? DOTLESS : 0) | (dots > 2 ? MORE_PARENTS : 0) | (isClear ? CLEAR : 0);
  return true;
}

const isLabel = (bytes: Uint8Array, start: number, end: number): boolean =>
  end > start && end - start <= MAX_LABEL && bytes[start] !== DASH && bytes[end - 1] !== DASH;

/** Digits and dots; what else may stand for an address is left to the longer look. */
function isAddress(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte !== DOT && (byte < 0x30 || byte > 0x39)) return false;
  }
  return true;
}
