import type { Value } from './columns.ts';
import { countByMinute } from './count-rows.ts';
import type { Combined } from './row.ts';
import type { Cells } from './tally.ts';

/** Rows by numbers of their names and keys, which whoever packed them gives out and uses again for others. */
export type NumberedRows = {
  readonly start: number;
  /** Milliseconds after the start. */
  readonly offsets: Int32Array;
  readonly names: Uint32Array;
  readonly keys: Uint32Array;
  /** What the numbers mean; another object, when they are given out anew. */
  readonly meaning: NumberMeaning;
};
export type NumberMeaning = {
  readonly names: readonly Value[];
  readonly keys: () => Omit<Combined, 'codes'>;
};

type Group = {
  readonly meaning: NumberMeaning;
  readonly batches: Set<number>;
  readonly counting: ReturnType<typeof countByMinute>;
  cells: readonly Cells[] | undefined;
};

type CountedBatches = { readonly batches: ReadonlySet<number>; readonly cells: readonly Cells[] };

/** Whoever has so much is busy; of those who are not, rows are counted from what is stored. */
const MAX_ACCOUNTS = 16;
const MAX_GROUPS = 8;

/**
 * What packed blocks count that are in no tally yet, of accounts that have many rows: their rows are counted when they are stored,
 * while their numbers are at hand. It can be forgotten at any time, because the blocks tell the same.
 */
export function createOpenCounts() {
  const ofAccounts = new Map<string, Group[]>();
  return {
    /** To be said when they are stored. */
    add(account: string, batch: number, { start, offsets, names, keys, meaning }: NumberedRows): void {
      const groups = ofAccounts.get(account) ?? [];
      // The least busy come first.
      ofAccounts.delete(account);
      ofAccounts.set(account, groups);
      if (ofAccounts.size > MAX_ACCOUNTS) ofAccounts.delete(ofAccounts.keys().next().value!);
      let group = groups.at(-1);
      if (group?.meaning !== meaning) {
        group = { meaning, batches: new Set(), counting: countByMinute(), cells: undefined };
        groups.push(group);
        if (groups.length > MAX_GROUPS) groups.shift();
      }
      group.batches.add(batch);
      group.cells = undefined;
      for (let row = 0; row < names.length; row += 1)
        group.counting.add(keys[row]!, names[row]!, start + offsets[row]!);
    },
    /** What blocks count that are known, and which those are, of some that are in no tally. */
    countsOf(account: string, batches: ReadonlySet<number>): readonly CountedBatches[] {
      const found: CountedBatches[] = [];
      for (const group of ofAccounts.get(account) ?? []) {
        // Of a group that another node has counted in part, nobody knows what is left.
        if (!group.batches.values().every((batch) => batches.has(batch))) continue;
        group.cells ??= group.counting.cells(group.meaning.keys(), group.meaning.names);
        found.push({ batches: group.batches, cells: group.cells });
      }
      return found;
    },
    forget: (account: string): void => {
      ofAccounts.delete(account);
    },
  };
}

export type OpenCounts = ReturnType<typeof createOpenCounts>;
