// An open-addressed table of byte strings that lie in the text, found again by their bytes. It remembers where they
// stand: no object an entry.

import { hasBit, setBit } from './bits';
import { countPicked, end, found, get, hash, pick, pickNone, set, start } from './block';
import { DOT, sameBytes } from './bytes';
import { hashByte, SEED, spread } from './hash';

/** Hash, start, end and value of each entry side by side, so that a look-up touches one cache line; end 0 is free. */
const SLOT_BITS = 4;
const START = 4;
const END = 8;
const VALUE = 12;

let slots: usize = 0;
let mask: u32 = 0;
/** A bit for each hash present. Small enough for the processor's cache, it answers most look-ups in vain. */
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

/** The bytes that a table for so many entries takes. */
export function tableLength(entries: u32): usize {
  const size = slotsFor(entries);
  return (size << SLOT_BITS) + presentBits(size) / 8;
}

/** Makes a table for at most so many entries; there is only one at a time. */
export function createTable(at: usize, entries: u32): void {
  const size = slotsFor(entries);
  memory.fill(at, 0, tableLength(entries));
  slots = at;
  mask = size - 1;
  present = at + (size << SLOT_BITS);
  presentMask = presentBits(size) - 1;
}

/**
 * Looks up each byte string of the block that is not empty by its hash and bytes; picks those that stand in the table, and adds the
 * others, whose value is their place in the whole list. The slots are read ahead: those reads wait for memory all
 * at once, where a look-up, whose outcome the processor cannot guess, would wait for it alone.
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

/** Nobody asks for what was read, but reads whose outcome goes nowhere would not be compiled. */
const readings = memory.data(4);

function readAhead(count: i32): void {
  let all: u32 = 0;
  for (let at = 0; at < count; at++) all |= load<u32>(slots + ((spread(<u32>get(hash, at)) & mask) << SLOT_BITS));
  store<u32>(readings, all);
}

/** Where the entry with these bytes stands, or the free slot that it would take. */
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

/** Picks the names of the block of which a parent stands in the table; found is the shortest. */
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
