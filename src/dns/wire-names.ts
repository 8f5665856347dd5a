import { foldByte } from '../kit/fold-byte.ts';
import { HEADER_LENGTH, MAX_NAME_LENGTH } from './numbers.ts';

const POINTER = 0xc0;
const MAX_LABEL_LENGTH = 63;

// Folds A to Z only (RFC 4343). Label lengths are below "A", so whole wire names can be folded byte by byte.
const folded = Uint8Array.from({ length: 256 }, (_, byte) => foldByte(byte));

/** Offset after the root byte of an uncompressed name, or -1 if the name is invalid. */
export function wholeNameEnd(bytes: Uint8Array, at: number, end: number): number {
  const beyond = Math.min(end, at + MAX_NAME_LENGTH);
  let next = at;
  while (next < beyond) {
    const label = bytes[next]!;
    if (label === 0) return next + 1;
    if (label > MAX_LABEL_LENGTH) return -1;
    next += label + 1;
  }
  return -1;
}

/** Offset after a name that may end in a pointer, or -1 if it is invalid. Checks only that the pointer points backwards, not its target. */
export function writtenNameEnd(bytes: Uint8Array, start: number, at: number, end: number): number {
  const beyond = Math.min(end, at + MAX_NAME_LENGTH);
  let next = at;
  while (next < beyond) {
    const label = bytes[next]!;
    if (label === 0) return next + 1;
    if (label >= POINTER) return next + 1 < end && pointsBack(bytes, start, next) ? next + 2 : -1;
    if (label > MAX_LABEL_LENGTH) return -1;
    next += label + 1;
  }
  return -1;
}

function pointsBack(bytes: Uint8Array, start: number, at: number): boolean {
  const target = start + (((bytes[at]! & 0x3f) << 8) | bytes[at + 1]!);
  return target >= start + HEADER_LENGTH && target < at;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export const sameName = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && endsAlike(a, 0, b);

/** Whether a name equals the zone or is below it. */
export function isAtOrUnder(name: Uint8Array, zone: Uint8Array): boolean {
  let at = 0;
  while (name.length - at > zone.length) at += name[at]! + 1;
  return name.length - at === zone.length && endsAlike(name, at, zone);
}

function endsAlike(name: Uint8Array, at: number, end: Uint8Array): boolean {
  for (let i = 0; i < end.length; i++) if (folded[name[at + i]!] !== folded[end[i]!]) return false;
  return true;
}

/** Map key of a name: equal for names that differ only in case. Not for display. */
export const nameKey = (name: Uint8Array): string => String.fromCharCode(...name.map((byte) => folded[byte]!));
