/**
 * Open-addressing hash table of byte strings in one buffer. Stores offsets instead of strings: no object per entry, no
 * work for the garbage collector.
 */
export type ByteTable = {
  /** [hash, start, end, index] per entry, so that a lookup touches one cache line; end 0 marks a free bucket. */
  slots: Int32Array;
  mask: number;
  count: number;
  /** Bloom filter of the hashes, small enough for the CPU cache; answers most misses. */
  present: Int32Array;
};

const SLOT = 4;
const START = 1;
const END = 2;
const INDEX = 3;
const PRESENT_BITS = 2 ** 23;
const MAX_LOAD = 0.7;

export function createByteTable(expected: number): ByteTable {
  let size = 16;
  while (size * MAX_LOAD <= expected) size *= 2;
  const present = new Int32Array(Math.min(PRESENT_BITS, size * 8) / 32);
  return { slots: new Int32Array(size * SLOT), mask: size - 1, count: 0, present };
}

export const HASH_SEED = 0x811c9dc5 | 0;

/** Computed from the last byte to the first, so that the hashes of all parent domains are intermediate results. */
export const hashByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** False means that no entry has this hash. */
export function mayHave({ present }: ByteTable, hash: number): boolean {
  const bit = spread(hash) & (present.length * 32 - 1);
  return (present[bit >>> 5]! & (1 << (bit & 31))) !== 0;
}

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_SEED;
  for (let at = end - 1; at >= start; at--) hash = hashByte(hash, bytes[at]!);
  return hash;
}

/** Returns the index of the entry with these bytes, or adds it with the next index and returns -1. */
export function findOrAdd(table: ByteTable, bytes: Uint8Array, start: number, end: number, hash: number): number {
  if (table.count + 1 > (table.mask + 1) * MAX_LOAD) grow(table);
  const slot = findSlot(table, bytes, start, end, hash);
  const { slots } = table;
  if (slots[slot + END] !== 0) return slots[slot + INDEX]!;
  slots[slot] = hash;
  slots[slot + START] = start;
  slots[slot + END] = end;
  slots[slot + INDEX] = table.count++;
  markPresent(table.present, hash);
  return -1;
}

/** Index of the entry with these bytes, or -1. */
export function find(table: ByteTable, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const slot = findSlot(table, bytes, start, end, hash);
  return table.slots[slot + END] === 0 ? -1 : table.slots[slot + INDEX]!;
}

function markPresent(present: Int32Array, hash: number): void {
  const bit = spread(hash) & (present.length * 32 - 1);
  present[bit >>> 5]! |= 1 << (bit & 31);
}

/** Bucket of the entry with these bytes, or the free bucket for it. */
function findSlot({ slots, mask }: ByteTable, bytes: Uint8Array, start: number, end: number, hash: number): number {
  for (let at = spread(hash) & mask; ; at = (at + 1) & mask) {
    const slot = at * SLOT;
    const otherEnd = slots[slot + END]!;
    if (otherEnd === 0) return slot;
    if (slots[slot] === hash && sameBytes(bytes, slots[slot + START]!, otherEnd, start, end)) return slot;
  }
}

// The low bits of the running hash are the weakest.
const spread = (hash: number): number => hash ^ (hash >>> 15);

function grow(table: ByteTable): void {
  const old = table.slots;
  const slots = new Int32Array(old.length * 2);
  const mask = table.mask * 2 + 1;
  for (let from = 0; from < old.length; from += SLOT) {
    if (old[from + END] === 0) continue;
    let at = spread(old[from]!) & mask;
    while (slots[at * SLOT + END] !== 0) at = (at + 1) & mask;
    slots.set(old.subarray(from, from + SLOT), at * SLOT);
  }
  table.slots = slots;
  table.mask = mask;
}

function sameBytes(bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  const length = end - start;
  if (otherEnd - otherStart !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[start + at] !== bytes[otherStart + at]) return false;
  return true;
}
