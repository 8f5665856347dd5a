import { type FilteringActionStatus, isBlocked } from '../../domain/query-record.ts';
import { bucketStart, unitRules } from '../../domain/statistics.ts';
import { combining, renumbered } from './combined.ts';
import { type CodedField, type Combined, keyFields, type RowTable } from './row.ts';
import { bounded, type Cells, largest, tallyRules } from './tally.ts';

const MINUTES = 60;
const STATUS = keyFields.indexOf('status');

/** What rows of one day count by minutes, in tallies of an hour each. The rows: in the order of time or against it. */
export function countRows(table: RowTable): readonly Cells[] {
  const { length, times } = table;
  const keys = countedKeys(table.keys);
  const tallies: Cells[] = [];
  for (let from = 0; from < length; ) {
    const start = bucketStart('hour', times[from]!);
    let to = from + 1;
    while (to < length && times[to]! >= start && times[to]! < start + unitRules.hour.ms) to += 1;
    tallies.push(countHour(table, keys, { start, from, to }));
    from = to;
  }
  return tallies;
}

type CountedKeys = {
  /** Of each combination of the key fields, its number without the status; and whether that says it was blocked. */
  readonly of: Uint32Array;
  readonly isBlocked: Uint8Array;
  readonly fields: readonly CodedField[];
};

function countedKeys({ length, fields }: Combined): CountedKeys {
  const counted = fields.filter((_, place) => place !== STATUS);
  const known = combining(counted.length);
  const of = new Uint32Array(length);
  for (let key = 0; key < length; key += 1) {
    for (let place = 0; place < counted.length; place += 1) known.wanted[place] = counted[place]!.codes[key]!;
    of[key] = known.number();
  }
  const status = fields[STATUS]!;
  const isBlockedCode = status.values.map((value) => Number(isBlocked(value as FilteringActionStatus)));
  return {
    of,
    isBlocked: Uint8Array.from(status.codes, (code) => isBlockedCode[code]!),
    fields: counted.map(({ values }, place) => ({ values, codes: known.column(place) })),
  };
}

function countHour(
  { times, names, keys }: RowTable,
  counted: CountedKeys,
  { start, from, to }: { readonly start: number; readonly from: number; readonly to: number },
): Cells {
  const sums = pairSums(to - from);
  for (let row = from; row < to; row += 1) {
    const key = keys.codes[row]!;
    const after = times[row]! - start;
    const slot = (after / unitRules.minute.ms) | 0;
    sums.add(counted.of[key]! * MINUTES + slot, names.codes[row]!, 1, counted.isBlocked[key]!, after);
  }
  const { maxCells } = tallyRules.minute;
  // Names that there is no room for are given up before anything is made of them.
  const kept = sums.size() <= maxCells ? sums : withoutRareNames(sums, maxCells / 2, names.values.length);
  return bounded(cellsOf(kept, start, counted.fields, names), 'minute');
}

function withoutRareNames(sums: PairSums, count: number, nobody: number): PairSums {
  const { left, right, queries, blocked, last } = sums;
  const isKept = largest({ queries, length: sums.size() }, count);
  const others = pairSums(sums.size());
  for (let cell = 0; cell < isKept.length; cell += 1)
    others.add(left[cell]!, isKept[cell] === 1 ? right[cell]! : nobody, queries[cell]!, blocked[cell]!, last[cell]!);
  return others;
}

function cellsOf(sums: PairSums, start: number, fields: readonly CodedField[], names: CodedField): Cells {
  const length = sums.size();
  const [slots, keys] = [new Uint32Array(length), new Uint32Array(length)];
  for (let cell = 0; cell < length; cell += 1) {
    slots[cell] = sums.left[cell]! % MINUTES;
    keys[cell] = (sums.left[cell]! / MINUTES) | 0;
  }
  const { kept, codes } = renumbered(sums.right.subarray(0, length), names.values.length + 1);
  return {
    start,
    length,
    slots,
    fields: [
      ...fields.map((field) => ({ values: field.values, codes: keys.map((key) => field.codes[key]!) })),
      { values: Array.from(kept, (name) => names.values[name] ?? null), codes },
    ],
    queries: sums.queries.subarray(0, length),
    blocked: sums.blocked.subarray(0, length),
    last: sums.last.subarray(0, length),
  };
}

// Odd and large; spread neighbouring numbers over all bits (Knuth, The Art of Computer Programming 6.4).
const [SPREAD, OTHER_SPREAD] = [2654435761, 2246822519];

type PairSums = ReturnType<typeof pairSums>;

/** Sums by pairs of numbers, of which there are at most so many. */
function pairSums(room: number) {
  const places = 2 ** Math.ceil(Math.log2(room * 2 + 1));
  // 0 is an empty place.
  const table = new Uint32Array(places);
  const [left, right] = [new Uint32Array(room), new Uint32Array(room)];
  const [queries, blocked, last] = [new Uint32Array(room), new Uint32Array(room), new Uint32Array(room)];
  let size = 0;
  return {
    left,
    right,
    queries,
    blocked,
    last,
    size: (): number => size,
    add(one: number, other: number, someQueries: number, someBlocked: number, itsLast: number): void {
      let hash = Math.imul(one, SPREAD) ^ Math.imul(other, OTHER_SPREAD);
      hash ^= hash >>> 15;
      let place = hash & (places - 1);
      let cell = table[place]! - 1;
      while (cell !== -1 && (right[cell] !== other || left[cell] !== one)) {
        place = (place + 1) & (places - 1);
        cell = table[place]! - 1;
      }
      if (cell === -1) {
        cell = size;
        size += 1;
        table[place] = size;
        left[cell] = one;
        right[cell] = other;
      }
      queries[cell]! += someQueries;
      blocked[cell]! += someBlocked;
      if (itsLast > last[cell]!) last[cell] = itsLast;
    },
  };
}
