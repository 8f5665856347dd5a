import { type FilteringActionStatus, isBlocked } from '../../domain/query-record.ts';
import { bucketStart, unitRules } from '../../domain/statistics.ts';
import type { Value } from '../segments/columns.ts';
import { type EncodedColumn, type EncodedTuples, keyFields, type RowTable } from '../segments/row.ts';
import { codesAt, compactCodes, usedTuples } from '../segments/tuples.ts';
import { addPair, type PairSums, pairColumns, pairSums, withLargest } from './pair-sums.ts';
import type { RollupRows } from './rollup.ts';

const MINUTES = 60;
/** Name id of the names that were dropped. */
const NO_NAME = 0xffffffff;
const STATUS = keyFields.indexOf('status');

/** Counts rows of one day by minute, in one rollup per hour. The rows are in ascending or descending order of time. */
export function countRows({ length, times, names, keys }: RowTable): readonly RollupRows[] {
  const counting = countByMinute();
  for (let row = 0; row < length; row += 1) counting.add(keys.codes[row]!, names.codes[row]!, times[row]!, 1);
  return counting.rollup(keys, names.values);
}

/** Limit of pairs per hour; beyond it, the rarest names are dropped. */
const MAX_PAIRS = 65_536;
/** Above this number, names are dropped before the rollup is built; the other fields stay. */
const MANY_PAIRS = 16_384;

/** Counts rows by ids. The meaning of the ids is needed only for `rollup`. */
export function countByMinute() {
  const hours = new Map<number, PairSums>();
  let start = Number.NaN;
  let sums = pairSums();
  const turnTo = (time: number): void => {
    start = bucketStart('hour', time);
    sums = hours.get(start) ?? pairSums();
    hours.set(start, sums);
  };
  return {
    /** `time`: time of the last query. */
    add(key: number, name: number, time: number, queries: number): void {
      let after = time - start;
      if (!(after >= 0 && after < unitRules.hour.ms)) {
        turnTo(time);
        after = time - start;
      }
      addPair(sums, key * MINUTES + ((after / unitRules.minute.ms) | 0), name, queries, after);
      if (sums.pairs.size < MAX_PAIRS) return;
      sums = withLargest(sums, MAX_PAIRS / 4, NO_NAME);
      hours.set(start, sums);
    },
    rollup: (keys: Omit<EncodedTuples, 'codes'>, names: readonly Value[]): readonly RollupRows[] =>
      Array.from(hours, ([hour, ofHour]) => cellsOf(hour, ofHour, keys, names)),
  };
}

function cellsOf(
  start: number,
  all: PairSums,
  keys: Omit<EncodedTuples, 'codes'>,
  names: readonly Value[],
): RollupRows {
  const sums = all.pairs.size <= MANY_PAIRS ? all : withLargest(all, MANY_PAIRS / 2, NO_NAME);
  const { ones, others, queries, last } = pairColumns(sums);
  const { slots, keyCodes } = apart(ones);
  const ofKeys = usedTuples(keys, keyCodes);
  replace(others, NO_NAME, names.length);
  const nameCodes = compactCodes(others, names.length + 1);
  // Rollup rows that differ only in status are merged later.
  return {
    start,
    length: ones.length,
    slots,
    fields: [
      ...ofKeys.fields
        .filter((_, index) => index !== STATUS)
        .map(({ values, codes }) => ({ values, codes: codesAt(codes, ofKeys.codes) })),
      { values: Array.from(nameCodes.usedCodes, (name) => names[name] ?? null), codes: nameCodes.codes },
    ],
    queries,
    blocked: blockedOf(queries, ofKeys),
    last,
  };
}

// Named functions, because closures created per rollup would be optimized again each time.

/** Splits the counted number into minute and key. */
function apart(ones: Uint32Array): Readonly<Record<'slots' | 'keyCodes', Uint32Array>> {
  const [slots, keyCodes] = [new Uint32Array(ones.length), new Uint32Array(ones.length)];
  for (let cell = 0; cell < ones.length; cell += 1) {
    slots[cell] = ones[cell]! % MINUTES;
    keyCodes[cell] = (ones[cell]! / MINUTES) | 0;
  }
  return { slots, keyCodes };
}

function replace(numbers: Uint32Array, number: number, by: number): void {
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at] === number) numbers[at] = by;
}

/** Queries of rollup rows with a blocking status. */
function blockedOf(queries: Uint32Array, { fields, codes }: EncodedTuples): Uint32Array {
  const { values, codes: statuses }: EncodedColumn = fields[STATUS]!;
  const isBlockedCode = values.map((value) => isBlocked(value as FilteringActionStatus));
  const blocked = new Uint32Array(queries.length);
  for (let cell = 0; cell < queries.length; cell += 1)
    if (isBlockedCode[statuses[codes[cell]!]!]) blocked[cell] = queries[cell]!;
  return blocked;
}
