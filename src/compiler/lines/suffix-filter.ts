import { suffixesBelow } from '../../rules/public-suffixes.ts';
import { HASH_SEED, hashByte } from './byte-table.ts';

const DOT = 0x2e;
const LOWER_A = 0x61;
const LETTERS = 26;
const FILTER_BITS = 18;

// Bits of hashes: a name that shares one by chance is suspected too, and only costs a closer look.
const listed = new Uint8Array(2 ** FILTER_BITS / 8);
const anyBelow = new Uint8Array(2 ** FILTER_BITS / 8);

// Nearly all top-level domains with suffixes below them have two letters. Each is entered when it has been met often:
// until then every name under it is suspected, which costs less than to enter it.
const twoLetters = new Uint8Array(LETTERS * LETTERS);
const UNMET = 0;
const NONE_BELOW = 1;
const MET = 2;
const OFTEN = 64;
const ENTERED = 255;
const longer = Object.keys(suffixesBelow).filter((domain) => domain.length > 2);

/** Whether a lower-case name of two labels or more may be a public suffix; most often it clearly is none. */
export function maySuffix(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[end - 2]! - LOWER_A;
  const second = bytes[end - 1]! - LOWER_A;
  if (bytes[end - 3] !== DOT || first < 0 || second < 0) return hasLongerDomain(bytes, start, end);
  const index = first * LETTERS + second;
  if (twoLetters[index] !== ENTERED) return meet(index, String.fromCharCode(bytes[end - 2]!, bytes[end - 1]!));
  return isSuspect(bytes, start, end);
}

/** Counts how often a domain was met, and enters it when that is often; false when nothing is listed below it. */
function meet(index: number, domain: string): boolean {
  if (twoLetters[index] === UNMET) twoLetters[index] = Object.hasOwn(suffixesBelow, domain) ? MET : NONE_BELOW;
  if (twoLetters[index] === NONE_BELOW) return false;
  twoLetters[index]!++;
  if (twoLetters[index] === OFTEN) {
    enter(domain);
    twoLetters[index] = ENTERED;
  }
  return true;
}

function isSuspect(bytes: Uint8Array, start: number, end: number): boolean {
  let hash = HASH_SEED;
  let parent = 0;
  for (let at = end - 1; at >= start; at--) {
    if (bytes[at] === DOT) parent = hash;
    hash = hashByte(hash, bytes[at]!);
  }
  return isMarked(listed, hash) || isMarked(anyBelow, parent);
}

function hasLongerDomain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = 0; at < longer.length; at++) if (endsWith(bytes, start, end, longer[at]!)) return true;
  return false;
}

function endsWith(bytes: Uint8Array, start: number, end: number, domain: string): boolean {
  const from = end - domain.length;
  if (from <= start || bytes[from - 1] !== DOT) return false;
  for (let at = 0; at < domain.length; at++) if (bytes[from + at] !== domain.charCodeAt(at)) return false;
  return true;
}

function enter(domain: string): void {
  for (const labels of suffixesBelow[domain]!.split(' ')) {
    if (labels === '*') mark(anyBelow, hashOf(domain));
    else if (labels.startsWith('*.')) mark(anyBelow, hashOf(`${labels.slice(2)}.${domain}`));
    else mark(listed, hashOf(`${labels}.${domain}`));
  }
}

function hashOf(name: string): number {
  let hash = HASH_SEED;
  for (let at = name.length - 1; at >= 0; at--) hash = hashByte(hash, name.charCodeAt(at));
  return hash;
}

const bitOf = (hash: number): number => (hash ^ (hash >>> 15)) & (2 ** FILTER_BITS - 1);

function mark(filter: Uint8Array, hash: number): void {
  filter[bitOf(hash) >>> 3]! |= 1 << (bitOf(hash) & 7);
}

const isMarked = (filter: Uint8Array, hash: number): boolean =>
  (filter[bitOf(hash) >>> 3]! & (1 << (bitOf(hash) & 7))) !== 0;
