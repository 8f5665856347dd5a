import { MINUTE_MS } from '../../kit/durations.ts';
import type { Value } from '../segments/columns.ts';
import type { EncodedTuples } from '../segments/row.ts';
import { countByMinute } from './count-rows.ts';
import type { RollupRows } from './rollup.ts';

/** Rows as ids of (key, name) pairs, assigned and reused by the enricher. */
export type NumberedRows = {
  readonly times: Float64Array;
  readonly pairs: Uint32Array;
  /** Meaning of the ids; replaced when they are reassigned. */
  readonly pairValues: PairValues;
};
export type PairValues = {
  /** Keys (0) or names (1) of all pairs, by id. */
  readonly pairs: (column: 0 | 1) => Uint32Array;
  readonly names: readonly Value[];
  readonly keys: () => Omit<EncodedTuples, 'codes'>;
};

type Group = {
  readonly pairValues: PairValues;
  readonly batches: Set<number>;
  readonly counting: ReturnType<typeof countPairs>;
  rollup: readonly RollupRows[] | undefined;
};

const FIRST_ROOM = 4096;

/** Counts pairs of the current minute in an array; a finished minute is added to the hash table. */
function countPairs({ pairs, names, keys }: PairValues) {
  const byMinute = countByMinute();
  // Interleaved: [count, lastSeen] per pair.
  let sums = new Uint32Array(FIRST_ROOM * 2);
  let seenPairs: number[] = [];
  let start = 0;
  const turnTo = (time: number): void => {
    const [ofKeys, ofNames] = [pairs(0), pairs(1)];
    for (const pair of seenPairs) {
      byMinute.add(ofKeys[pair]!, ofNames[pair]!, start + sums[pair * 2 + 1]!, sums[pair * 2]!);
      sums[pair * 2] = 0;
      sums[pair * 2 + 1] = 0;
    }
    seenPairs = [];
    start = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  };
  const makeRoomFor = (pair: number): void => {
    const larger = new Uint32Array(2 ** Math.ceil(Math.log2((pair + 1) * 2)));
    larger.set(sums);
    sums = larger;
  };
  return {
    add(ofRows: Uint32Array, times: Float64Array): void {
      for (let row = 0; row < ofRows.length; row += 1) {
        const pair = ofRows[row]!;
        if (pair * 2 >= sums.length) makeRoomFor(pair);
        let after = times[row]! - start;
        if (!(after >= 0 && after < MINUTE_MS)) {
          turnTo(times[row]!);
          after = times[row]! - start;
        }
        if (sums[pair * 2] === 0) seenPairs.push(pair);
        sums[pair * 2]! += 1;
        if (after > sums[pair * 2 + 1]!) sums[pair * 2 + 1] = after;
      }
    },
    rollup(): readonly RollupRows[] {
      turnTo(start);
      return byMinute.rollup(keys(), names);
    },
  };
}

type CountedBatches = { readonly batches: ReadonlySet<number>; readonly rollup: readonly RollupRows[] };

/** Limits of the cache. Rows of accounts beyond it are counted from the stored segments. */
const MAX_ACCOUNTS = 16;
const MAX_GROUPS = 8;

/**
 * Cache of counts of unflushed encoded segments of busy accounts, computed when the rows are stored, while their pair ids are known.
 */
export function createPendingCounts() {
  const ofAccounts = new Map<string, Group[]>();
  return {
    /** Call this after the rows are stored. */
    add(account: string, batch: number, { times, pairs, pairValues }: NumberedRows): void {
      const groups = ofAccounts.get(account) ?? [];
      // Least recently used first.
      ofAccounts.delete(account);
      ofAccounts.set(account, groups);
      if (ofAccounts.size > MAX_ACCOUNTS) ofAccounts.delete(ofAccounts.keys().next().value!);
      let group = groups.at(-1);
      if (group?.pairValues !== pairValues) {
        group = { pairValues, batches: new Set(), counting: countPairs(pairValues), rollup: undefined };
        groups.push(group);
        if (groups.length > MAX_GROUPS) groups.shift();
      }
      group.batches.add(batch);
      group.rollup = undefined;
      group.counting.add(pairs, times);
    },
    /** Cached counts of unflushed batches, and which batches they include. */
    countsOf(account: string, batches: ReadonlySet<number>): readonly CountedBatches[] {
      const found: CountedBatches[] = [];
      for (const group of ofAccounts.get(account) ?? []) {
        // The counts are unusable if another node has flushed a part of the group.
        if (!group.batches.values().every((batch) => batches.has(batch))) continue;
        group.rollup ??= group.counting.rollup();
        found.push({ batches: group.batches, rollup: group.rollup });
      }
      return found;
    },
    deleteAccount: (account: string): void => {
      ofAccounts.delete(account);
    },
  };
}

export type PendingCounts = ReturnType<typeof createPendingCounts>;
