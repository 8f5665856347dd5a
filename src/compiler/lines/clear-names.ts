import { publicSuffix } from '../../rules/public-suffix.ts';
import { maySuffix } from './suffix-filter.ts';
import { decode } from './text.ts';

const BAR = 0x7c;
const CARET = 0x5e;
const DOT = 0x2e;
const DASH = 0x2d;
const SPACE = 0x20;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const MIN_LENGTH = 5;
const MAX_LABEL = 63;
const MAX_NAME = 253;

/**
 * True for the plain rules that make up nearly all of every list (`||ads.example.com^`, `0.0.0.0 ads.example.com`,
 * `ads.example.com`) when no check of a rule could object to them. False says nothing: such a line is to be
 * examined as text.
 */
export function isClearlyValid(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === BAR) {
    return bytes[start + 1] === BAR && bytes[end - 1] === CARET && isClearName(bytes, start + 2, end - 1);
  }
  const name = afterAddress(bytes, start, end);
  if (name > start) return isClearName(bytes, name, end);
  return end - start >= MIN_LENGTH && countLabels(bytes, start, end) >= 2;
}

/** Where the name behind `0.0.0.0 ` or `127.0.0.1 ` begins; `start` when no such address stands in front. */
function afterAddress(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isDigitOrDot(bytes[at]!)) at++;
  return at > start && at < end && bytes[at] === SPACE ? at + 1 : start;
}

const isDigitOrDot = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === DOT;

/** A name that is not itself a public suffix. */
const isClearName = (bytes: Uint8Array, start: number, end: number): boolean =>
  countLabels(bytes, start, end) >= 2 && !isSuffix(bytes, start, end);

/** Whether a lower-case name of two labels or more is a public suffix. */
export function isSuffix(bytes: Uint8Array, start: number, end: number): boolean {
  if (!maySuffix(bytes, start, end)) return false;
  const name = decode(bytes, start, end);
  return publicSuffix(name).suffix === name;
}

/** Labels of a name in lower-case letters, digits and inner dashes whose last holds a letter; 0 for any other. */
function countLabels(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_NAME) return 0;
  let labelStart = start;
  let labels = 0;
  let letters = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= LOWER_A && byte <= LOWER_Z) {
      letters = true;
    } else if (byte === DOT) {
      if (!isLabel(bytes, labelStart, at)) return 0;
      labels++;
      letters = false;
      labelStart = at + 1;
    } else if (byte !== DASH && !(byte >= 0x30 && byte <= 0x39)) {
      return 0;
    }
  }
  return letters && isLabel(bytes, labelStart, end) ? labels + 1 : 0;
}

const isLabel = (bytes: Uint8Array, start: number, end: number): boolean =>
  end > start && end - start <= MAX_LABEL && bytes[start] !== DASH && bytes[end - 1] !== DASH;
