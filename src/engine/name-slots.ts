import { growableMemory, roomFor } from './build/growable-memory.ts';
import { EMPTY, KIND, SLOT, SLOTS_AT, scaled, TAG } from './table-layout.ts';

/**
 * The slots of a table under construction: linear probing with sorted fingerprints. A fingerprint is in the bucket
 * given by its rank among all fingerprints or shortly after it, so names are sorted and a search ends at the first
 * larger one. Built in place: a copy would need as much memory as the table.
 */
export type NameSlots = {
  names: number;
  /** Number of slots that fingerprints are scaled to. A few more follow. */
  capacity: number;
  /** The buffer of the table, which starts with its header. */
  buffer: SharedArrayBuffer;
  slots: Int32Array;
  /** Per slot: offset of its domain rule's line, and `IRREGULAR_TEXT`. */
  lines: Uint32Array;
};

/** Flag: the text of the rule does not follow from its name. */
export const IRREGULAR_TEXT = 2 ** 31;

// Load factor: small, yet a name is within a few slots of its bucket.
const LOAD = 0.8;
// Overflow slots after the last bucket.
const BEHIND = 64;
const BYTES = 4;
const SLOT_BYTES = SLOT * BYTES;

/** `mostBytes` estimates the size of the whole table; memory is allocated on demand. */
export function createNameSlots(names: number, mostBytes: number): NameSlots {
  const table: NameSlots = {
    names: 0,
    capacity: 0,
    buffer: growableMemory(0, mostBytes),
    slots: new Int32Array(),
    lines: new Uint32Array(growableMemory(0, mostBytes / 2)),
  };
  resize(table, capacityFor(names));
  return table;
}

const capacityFor = (names: number): number => Math.ceil(names / LOAD) + 1;

export const isFull = ({ names, capacity }: NameSlots): boolean => names >= capacity * LOAD;
/** More slots are empty than searches need. Resizing for less costs more than it saves. */
export const isRoomy = ({ names, capacity }: NameSlots): boolean => capacity > 1.03 * capacityFor(names);

/**
 * Prefetches the slots of many names: the reads overlap, while a search with an unpredictable branch would wait for
 * each in turn. The result is meaningless; returning it prevents the reads from being optimised away.
 */
export function readAhead(
  { slots, capacity }: NameSlots,
  { high, count }: { high: Int32Array; count: number },
): number {
  let all = 0;
  for (let nth = 0; nth < count; nth++) all ^= slots[scaled(high[nth]!, capacity) * SLOT]!;
  return all;
}

/** The slot of a name; an empty one is inserted if the name is new. */
export function slotFor(table: NameSlots, high: number, low: number): number {
  const { slots, capacity } = table;
  let at = scaled(high, capacity) * SLOT;
  for (; (slots[at + 1]! & KIND) !== EMPTY; at += SLOT) {
    const order = compare(slots, at, high, low);
    if (order === 0) return at / SLOT;
    if (order > 0) break;
  }
  const slot = at / SLOT;
  if (!makeWay(table, slot)) {
    resize(table, capacity);
    return slotFor(table, high, low);
  }
  table.names += 1;
  slots[at] = high;
  slots[at + 1] = low & ~TAG;
  table.lines[slot] = 0;
  return slot;
}

/** Compares the fingerprint at an offset with another; both unsigned. */
function compare(slots: Int32Array, at: number, high: number, low: number): number {
  if (slots[at] !== high) return slots[at]! >>> 0 > high >>> 0 ? 1 : -1;
  return ((slots[at + 1]! & ~TAG) >>> 0) - ((low & ~TAG) >>> 0);
}

/** Shifts the run of occupied slots from `slot` by one; false if no empty slot would remain at the end. */
function makeWay({ slots, lines }: NameSlots, slot: number): boolean {
  let end = slot;
  while ((slots[end * SLOT + 1]! & KIND) !== EMPTY) end += 1;
  if (end >= lines.length - 1) return false;
  for (let to = end; to > slot; to--) {
    slots[to * SLOT] = slots[to * SLOT - 2]!;
    slots[to * SLOT + 1] = slots[to * SLOT - 1]!;
    lines[to] = lines[to - 1]!;
  }
  return true;
}

/** Makes room for this many names; existing ones move within the buffer, which only grows. */
export function resizeFor(table: NameSlots, names: number): void {
  resize(table, capacityFor(names));
}

function resize(table: NameSlots, capacity: number): void {
  const before = table.lines.length;
  const room = Math.max(before, Math.max(capacity, lastUsedSlot(table, capacity) + 1) + BEHIND);
  table.buffer = roomFor(table.buffer, SLOTS_AT + room * SLOT_BYTES);
  table.slots = new Int32Array(table.buffer, SLOTS_AT, room * SLOT);
  table.lines = new Uint32Array(roomFor(table.lines.buffer as SharedArrayBuffer, room * BYTES), 0, room);
  table.capacity = capacity;
  insertAgain(table, moveBehind(table, before));
}

/** The slot of the last name with another capacity. */
function lastUsedSlot({ slots }: NameSlots, capacity: number): number {
  let last = -1;
  for (let at = 0; at < slots.length; at += SLOT)
    if ((slots[at + 1]! & KIND) !== EMPTY) last = Math.max(last + 1, scaled(slots[at]!, capacity));
  return last;
}

/** Moves all names in order to the end and returns their first slot there. */
function moveBehind({ slots, lines }: NameSlots, used: number): number {
  let to = lines.length;
  for (let from = used - 1; from >= 0; from--) {
    if ((slots[from * SLOT + 1]! & KIND) === EMPTY) continue;
    to -= 1;
    moveSlot(slots, lines, from, to);
  }
  return to;
}

/** Moves the names from the end to their slots. None overwrites one that has not moved yet. */
function insertAgain({ slots, lines, capacity }: NameSlots, first: number): void {
  let next = 0;
  for (let from = first; from < lines.length; from++) {
    const to = Math.max(next, scaled(slots[from * SLOT]!, capacity));
    for (let gap = next * SLOT; gap < to * SLOT; gap++) slots[gap] = 0;
    moveSlot(slots, lines, from, to);
    next = to + 1;
  }
  slots.fill(0, next * SLOT);
}

function moveSlot(slots: Int32Array, lines: Uint32Array, from: number, to: number): void {
  slots[to * SLOT] = slots[from * SLOT]!;
  slots[to * SLOT + 1] = slots[from * SLOT + 1]!;
  lines[to] = lines[from]!;
}

/** Slots up to the last occupied one, plus the empty one after it. */
export function usedSlots({ slots, lines, capacity }: NameSlots): number {
  let last = lines.length - 1;
  while (last >= capacity && (slots[last * SLOT + 1]! & KIND) === EMPTY) last -= 1;
  return Math.max(capacity, last + 1) + 1;
}
