import { RECORD_WORDS, sortRecords } from './sort-records.ts';
import { KIND, MORE, ODD, ONLY_MORE, SLOT, scaled, TAG } from './table-layout.ts';

/** Names in their slots. */
export type Placed = {
  readonly names: number;
  /** The number of slots by which the place of a fingerprint is reckoned. A few more follow. */
  readonly capacity: number;
  readonly slots: Int32Array;
  /** By slot: where the line of its bare rule begins. */
  readonly lines: Uint32Array;
  /** A bit by slot: the rule is not written as its name foretells. */
  readonly odd: Int32Array;
  oddCount: number;
  repeated: number;
  /** Bare rules on a name that has one of another kind already. */
  readonly seconds: { readonly slot: number; readonly high: number; readonly lineAt: number }[];
  /** By the number of a further rule: its slot. */
  readonly furtherSlots: number[];
};

// Full enough to be small, and empty enough that a name stands within a few slots of its place.
const LOAD = 0.8;

/**
 * Each name stands at the place that its fingerprint has among all fingerprints, or as near behind it as others leave
 * room; so names are sorted, and the search for one ends at the first that comes behind it. Records of bare rules
 * have their kind as tag and belong to a line, those of further rules belong to the number of the rule.
 */
export function placeNames(records: Int32Array, count: number): Placed {
  const sorted = sortRecords(records, count);
  const names = countNames(sorted, count);
  const capacity = Math.ceil(names / LOAD) + 1;
  const length = Math.max(capacity, lastSlot(sorted, count, capacity) + 1) + 1;
  const placed: Placed = {
    names,
    capacity,
    slots: new Int32Array(length * SLOT),
    lines: new Uint32Array(length),
    odd: new Int32Array(Math.ceil(length / 32)),
    oddCount: 0,
    repeated: 0,
    seconds: [],
    furtherSlots: [],
  };
  let slot = -1;
  for (let nth = 0; nth < count; ) {
    const end = endOfName(sorted, nth, count);
    slot = Math.max(slot + 1, scaled(sorted[nth * RECORD_WORDS]!, capacity));
    fillSlot(placed, slot, sorted, nth, end);
    nth = end;
  }
  return placed;
}

function endOfName(sorted: Int32Array, first: number, count: number): number {
  let end = first + 1;
  while (end < count && isSameName(sorted, first, end)) end += 1;
  return end;
}

const isSameName = (sorted: Int32Array, one: number, other: number): boolean =>
  sorted[one * RECORD_WORDS] === sorted[other * RECORD_WORDS] &&
  ((sorted[one * RECORD_WORDS + 1]! ^ sorted[other * RECORD_WORDS + 1]!) & ~TAG) === 0;

function countNames(sorted: Int32Array, count: number): number {
  let names = count > 0 ? 1 : 0;
  for (let nth = 1; nth < count; nth++) if (!isSameName(sorted, nth - 1, nth)) names += 1;
  return names;
}

function lastSlot(sorted: Int32Array, count: number, capacity: number): number {
  let slot = -1;
  for (let nth = 0; nth < count; nth++)
    if (nth === 0 || !isSameName(sorted, nth - 1, nth))
      slot = Math.max(slot + 1, scaled(sorted[nth * RECORD_WORDS]!, capacity));
  return slot;
}

/** All records of one name. The first bare rule of each kind stands for all of its kind, and the first of all is in the slot. */
function fillSlot(placed: Placed, slot: number, sorted: Int32Array, first: number, end: number): void {
  const high = sorted[first * RECORD_WORDS]!;
  let tag = ONLY_MORE;
  let seen = 0;
  for (let nth = first; nth < end; nth++) {
    const lower = sorted[nth * RECORD_WORDS + 1]!;
    const belongsTo = sorted[nth * RECORD_WORDS + 2]!;
    const kind = lower & KIND;
    if (kind === ONLY_MORE) {
      placed.furtherSlots[belongsTo] = slot;
      tag |= MORE;
    } else if ((seen & (1 << kind)) !== 0) {
      placed.repeated += 1;
    } else if (seen !== 0) {
      placed.seconds.push({ slot, high, lineAt: belongsTo >>> 0 });
      tag |= MORE;
    } else {
      tag = (tag & MORE) | kind;
      placed.lines[slot] = belongsTo;
      if ((lower & ODD) !== 0) markOdd(placed, slot);
    }
    seen |= kind === ONLY_MORE ? 0 : 1 << kind;
  }
  placed.slots[slot * SLOT] = high;
  placed.slots[slot * SLOT + 1] = (sorted[first * RECORD_WORDS + 1]! & ~TAG) | tag;
}

function markOdd(placed: Placed, slot: number): void {
  placed.odd[slot >>> 5]! |= 1 << (slot & 31);
  placed.oddCount += 1;
}
