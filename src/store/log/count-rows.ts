import { type FilteringActionStatus, isBlocked } from '../../domain/query-record.ts';
import { bucketStart, unitRules } from '../../domain/statistics.ts';
import type { Value } from './columns.ts';
import { renumbered, usedCombinations } from './combined.ts';
import { type PairSums, pairSums, withLargest } from './pair-sums.ts';
import { type CodedField, type Combined, keyFields, type RowTable } from './row.ts';
import type { Cells } from './tally.ts';

const MINUTES = 60;
/** Stands for the names that there is no room for. */
const NO_NAME = 0xffffffff;
const STATUS = keyFields.indexOf('status');

/** What rows of one day count by minutes, in tallies of an hour each. The rows: in the order of time or against it. */
export function countRows({ length, times, names, keys }: RowTable): readonly Cells[] {
  const counting = countByMinute();
  for (let row = 0; row < length; row += 1) counting.add(keys.codes[row]!, names.codes[row]!, times[row]!, 1);
  return counting.cells(keys, names.values);
}

/** As many pairs of an hour are counted as they are; beyond, the rarest names are given up. */
const MAX_PAIRS = 65_536;
/** Of more than this, names are given up before anything is made of them; all else stays. */
const MANY_PAIRS = 16_384;

/** Counts rows by numbers. What those mean need not be known before the end. */
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
    /** `time`: of the last of them. */
    add(key: number, name: number, time: number, queries: number): void {
      let after = time - start;
      if (!(after >= 0 && after < unitRules.hour.ms)) {
        turnTo(time);
        after = time - start;
      }
      sums.add(key * MINUTES + ((after / unitRules.minute.ms) | 0), name, queries, after);
      if (sums.size() < MAX_PAIRS) return;
      sums = withLargest(sums, MAX_PAIRS / 4, NO_NAME);
      hours.set(start, sums);
    },
    cells: (keys: Omit<Combined, 'codes'>, names: readonly Value[]): readonly Cells[] =>
      Array.from(hours, ([hour, ofHour]) => cellsOf(hour, ofHour, keys, names)),
  };
}

function cellsOf(start: number, all: PairSums, keys: Omit<Combined, 'codes'>, names: readonly Value[]): Cells {
  const sums = all.size() <= MANY_PAIRS ? all : withLargest(all, MANY_PAIRS / 2, NO_NAME);
  const { ones, others, queries, last } = sums.columns();
  const ofKeys = usedCombinations(
    keys,
    ones.map((one) => (one / MINUTES) | 0),
  );
  const isBlockedKey = isBlockedIn(ofKeys.fields[STATUS]!);
  const nameCodes = renumbered(
    others.map((name) => (name === NO_NAME ? names.length : name)),
    names.length + 1,
  );
  // Cells that differed in their status alone stand beside each other until they are added to others.
  return {
    start,
    length: ones.length,
    slots: ones.map((one) => one % MINUTES),
    fields: [
      ...ofKeys.fields
        .filter((_, place) => place !== STATUS)
        .map(({ values, codes }) => ({ values, codes: ofKeys.codes.map((key) => codes[key]!) })),
      { values: Array.from(nameCodes.kept, (name) => names[name] ?? null), codes: nameCodes.codes },
    ],
    queries,
    blocked: queries.map((count, cell) => (isBlockedKey[ofKeys.codes[cell]!] === 1 ? count : 0)),
    last,
  };
}

/** Of each combination, whether its status means that something was blocked. */
function isBlockedIn({ values, codes }: CodedField): Uint8Array {
  const isBlockedCode = values.map((value) => Number(isBlocked(value as FilteringActionStatus)));
  return Uint8Array.from(codes, (code) => isBlockedCode[code]!);
}
