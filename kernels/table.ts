// Open-addressing hash table of byte strings in the text. Stores offsets, so there is no object per entry.

import { hasBit, setBit } from './bits';
import { countPicked, end, found, get, hash, pick, pickNone, set, start } from './block';
import { DOT, sameBytes } from './bytes';
import { hashByte, SEED, spread } from './hash';

/** [hash, start, end, value] per entry, so that a lookup touches one cache line; end 0 marks a free bucket. */
const SLOT_BITS = 4;
const START = 4;
const END = 8;
const VALUE = 12;

let slots: usize = 0;
let mask: u32 = 0;
/** Bloom filter of the hashes, small enough for the CPU cache; answers most misses. */
let present: usize = 0;
let presentMask: u32 = 0;
const MAX_PRESENT_BITS: u32 = 1 << 23;

function slotsFor(entries: u32): u32 {
  let size: u32 = 16;
  while (size * 7 <= entries * 10) size *= 2;
  return size;
}

function presentBits(size: u32): u32 {
  return min(size * 8, MAX_PRESENT_BITS);
}

/** Size in bytes of a table for this many entries. */
export function tableLength(entries: u32): usize {
  const size = slotsFor(entries);
  return (size << SLOT_BITS) + presentBits(size) / 8;
}

/** Creates a table for at most this many entries; there is one table at a time. */
export function createTable(at: usize, entries: u32): void {
  const size = slotsFor(entries);
  memory.fill(at, 0, tableLength(entries));
  slots = at;
  mask = size - 1;
  present = at + (size << SLOT_BITS);
  presentMask = presentBits(size) - 1;
}

/**
 * Looks up each non-empty byte string of the block; picks those in the table and adds the others with their index in the list as
 * value. Buckets are prefetched: the reads overlap, while a lookup with an unpredictable branch would wait for each in turn.
 */
export function findOrAdd(count: i32, first: i32): i32 {
  pickNone();
  readAhead(count);
  for (let at = 0; at < count; at++) {
    const to = get(end, at);
    if (to === 0) continue;
    const from = get(start, at);
    const itsHash = <u32>get(hash, at);
    const slot = findSlot(from, to, itsHash);
    if (load<u32>(slot, END) !== 0) {
      set(found, at, load<u32>(slot, VALUE));
      pick(first + at);
    } else {
      set(found, at, -1);
      occupy(slot, from, to, itsHash, first + at);
    }
  }
  return countPicked();
}

/** Keeps the compiler from removing the prefetch reads. */
const readings = memory.data(4);

function readAhead(count: i32): void {
  let all: u32 = 0;
  for (let at = 0; at < count; at++) all |= load<u32>(slots + ((spread(<u32>get(hash, at)) & mask) << SLOT_BITS));
  store<u32>(readings, all);
}

/** Bucket of the entry with these bytes, or the free bucket for it. */
function findSlot(from: usize, to: usize, itsHash: u32): usize {
  let at = spread(itsHash) & mask;
  let slot = slots + (at << SLOT_BITS);
  while (load<u32>(slot, END) !== 0 && !isEntry(slot, from, to, itsHash)) {
    at = (at + 1) & mask;
    slot = slots + (at << SLOT_BITS);
  }
  return slot;
}

function isEntry(slot: usize, from: usize, to: usize, itsHash: u32): bool {
  if (load<u32>(slot) !== itsHash) return false;
  const itsStart: usize = load<u32>(slot, START);
  return <usize>load<u32>(slot, END) - itsStart === to - from && sameBytes(itsStart, from, to - from);
}

function occupy(slot: usize, from: usize, to: usize, itsHash: u32, value: i32): void {
  store<u32>(slot, itsHash);
  store<u32>(slot, from, START);
  store<u32>(slot, to, END);
  store<u32>(slot, value, VALUE);
  setBit(present, spread(itsHash) & presentMask);
}

/** Picks the names with a parent in the table; `found` is the shortest one. */
export function findParents(count: i32, first: i32): i32 {
  pickNone();
  for (let at = 0; at < count; at++) {
    const parent = findParent(get(start, at), get(end, at));
    set(found, at, parent);
    if (parent !== -1) pick(first + at);
  }
  return countPicked();
}

function findParent(from: usize, to: usize): i32 {
  let itsHash = SEED;
  for (let at = to; at > from; at--) {
    const byte = load<u8>(at - 1);
    if (byte === DOT && hasBit(present, spread(itsHash) & presentMask)) {
      const slot = findSlot(at, to, itsHash);
      if (load<u32>(slot, END) !== 0) return load<i32>(slot, VALUE);
    }
    itsHash = hashByte(itsHash, byte);
  }
  return -1;
}
