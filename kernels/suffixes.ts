import { hasBit, setBit } from './bits';
import { ASTERISK, BANG, DOT, LF, SPACE } from './bytes';
import { hashByte, hashBytes, hashOf, spread } from './hash';

const BITS = 18;

// Bloom filter with two bits per hash; a false positive only costs a full check.
const listed = memory.data((1 << BITS) / 8, 16);
const anyBelow = memory.data((1 << BITS) / 8, 16);

/** Whether a name with this hash and parent hash may be a public suffix; false is certain. */
export function maySuffix(hash: u32, parentHash: u32): bool {
  return isEntered(listed, hash) || isEntered(anyBelow, parentHash);
}

/**
 * Adds lines of suffixes below a domain, followed by the domain: `ac co *.nom !www uk`. `*` matches any label, `!` marks an
 * exception, and a single dot means that the domain itself is listed.
 */
export function enterSuffixes(from: usize, to: usize): void {
  let at = to;
  while (at > from) {
    const domainStart = startOfWord(from, at);
    const domain = hashOf(domainStart, at);
    at = domainStart;
    while (at > from && load<u8>(at - 1) === SPACE) {
      const wordEnd = at - 1;
      at = startOfWord(from, wordEnd);
      enter(at, wordEnd, domain);
    }
    // The preceding line break.
    at--;
  }
}

function startOfWord(from: usize, to: usize): usize {
  let at = to;
  while (at > from && load<u8>(at - 1) !== SPACE && load<u8>(at - 1) !== LF) at--;
  return at;
}

function enter(from: usize, to: usize, domain: u32): void {
  const first = load<u8>(from);
  if (first === DOT || first === BANG) return;
  if (first !== ASTERISK) addHash(listed, hashBytes(from, to, hashByte(domain, DOT)));
  else if (to - from === 1) addHash(anyBelow, domain);
  else addHash(anyBelow, hashBytes(from + 2, to, hashByte(domain, DOT)));
}

function addHash(filter: usize, hash: u32): void {
  setBit(filter, firstBit(hash));
  setBit(filter, secondBit(hash));
}

function isEntered(filter: usize, hash: u32): bool {
  return hasBit(filter, firstBit(hash)) && hasBit(filter, secondBit(hash));
}

function firstBit(hash: u32): u32 {
  return spread(hash) & ((1 << BITS) - 1);
}

function secondBit(hash: u32): u32 {
  return (hash * 0x9e3779b1) >>> (32 - BITS);
}
