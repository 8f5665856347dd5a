import { growableMemory, roomFor } from './build/growable-memory.ts';
import { EMPTY, KIND, SLOT, SLOTS_AT, scaled, TAG } from './table-layout.ts';

/**
 * The slots of a table while it is made. Each name stands at the place that its fingerprint has among all
 * fingerprints, or as near behind it as others leave room; so names are sorted, and the search for one ends at the
 * first that comes behind it. They are made where they will stay: a copy would take as much memory as the table.
 */
export type NameSlots = {
  names: number;
  /** The number of slots by which the place of a fingerprint is reckoned. A few more follow. */
  capacity: number;
  /** The memory of the table, which begins with its header. */
  buffer: SharedArrayBuffer;
  slots: Int32Array;
  /** By slot: where the line of its bare rule begins, and `ODD_LINE`. */
  lines: Uint32Array;
};

/** The rule of a line is not written as its name foretells. */
export const ODD_LINE = 2 ** 31;

// Full enough to be small, and empty enough that a name stands within a few slots of its place.
const LOAD = 0.8;
// Room behind the last place, for what finds none before.
const BEHIND = 64;
const BYTES = 4;
const SLOT_BYTES = SLOT * BYTES;

/** `mostBytes` is what the whole table is likely not to exceed; memory is taken only as it is needed. */
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
/** More is empty than makes the search short. To move all names for less would take longer than it is worth. */
export const isRoomy = ({ names, capacity }: NameSlots): boolean => capacity > 1.03 * capacityFor(names);

/**
 * Reads the slots of many names ahead: those reads wait for memory all at once, where the search for a slot, whose outcome
 * the processor cannot guess, would wait for it alone. Gives a number that means nothing.
 */
export function readAhead(
  { slots, capacity }: NameSlots,
  { high, count }: { high: Int32Array; count: number },
): number {
  let all = 0;
  for (let nth = 0; nth < count; nth++) all ^= slots[scaled(high[nth]!, capacity) * SLOT]!;
  return all;
}

/** The slot of a name, which is made for it if there is none yet; then it is empty still. */
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

/** The order of the fingerprint at a place and another, both as unsigned numbers. */
function compare(slots: Int32Array, at: number, high: number, low: number): number {
  if (slots[at] !== high) return slots[at]! >>> 0 > high >>> 0 ? 1 : -1;
  return ((slots[at + 1]! & ~TAG) >>> 0) - ((low & ~TAG) >>> 0);
}

/** Moves all that stands without a gap from a slot on by one; false if that would leave no slot empty at the end. */
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

/** Makes room for so many names; those that are there move within the memory, which only grows. */
export function resizeFor(table: NameSlots, names: number): void {
  resize(table, capacityFor(names));
}

function resize(table: NameSlots, capacity: number): void {
  const before = table.lines.length;
  const room = Math.max(before, Math.max(capacity, lastPlace(table, capacity) + 1) + BEHIND);
  table.buffer = roomFor(table.buffer, SLOTS_AT + room * SLOT_BYTES);
  table.slots = new Int32Array(table.buffer, SLOTS_AT, room * SLOT);
  table.lines = new Uint32Array(roomFor(table.lines.buffer as SharedArrayBuffer, room * BYTES), 0, room);
  table.capacity = capacity;
  placeAgain(table, moveBehind(table, before));
}

/** The slot that the last of the names takes with another capacity. */
function lastPlace({ slots }: NameSlots, capacity: number): number {
  let last = -1;
  for (let at = 0; at < slots.length; at += SLOT)
    if ((slots[at + 1]! & KIND) !== EMPTY) last = Math.max(last + 1, scaled(slots[at]!, capacity));
  return last;
}

/** Moves all names to the very end, in their order, and gives the first slot they take there. */
function moveBehind({ slots, lines }: NameSlots, used: number): number {
  let to = lines.length;
  for (let from = used - 1; from >= 0; from--) {
    if ((slots[from * SLOT + 1]! & KIND) === EMPTY) continue;
    to -= 1;
    moveSlot(slots, lines, from, to);
  }
  return to;
}

/** From the end back to their places. None overtakes those that wait: behind each there is room for all of them. */
function placeAgain({ slots, lines, capacity }: NameSlots, first: number): void {
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

/** How many slots there are up to the last that is taken, and the empty one behind it. */
export function usedSlots({ slots, lines, capacity }: NameSlots): number {
  let last = lines.length - 1;
  while (last >= capacity && (slots[last * SLOT + 1]! & KIND) === EMPTY) last -= 1;
  return Math.max(capacity, last + 1) + 1;
}
