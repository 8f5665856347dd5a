import { LRUCache } from 'lru-cache';
import type { ReadTransaction, RollupUnit, StoredRollup } from '../backends/log-backend.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';

/** What is kept open for all accounts together; whoever was not asked for longest is read anew. */
const MAX_BYTES = 64 * 2 ** 20;
// Opened, texts take about twice what they take when packed, and the packed bytes stay beside them.
const BYTES_FOR_PACKED = 3;

type Kept = { readonly batch: number; readonly opened: object };
export type RollupCache = LRUCache<string, Kept>;

export const createRollupCache = (): RollupCache => new LRUCache({ maxSize: MAX_BYTES });

type Asked<T> = {
  readonly unit: RollupUnit;
  readonly from: number;
  readonly to: number;
  readonly open: (stored: StoredRollup) => T;
};

/** Tallies of a time, opened. Most never change again; by its batch one that did is known and read anew. */
export async function readRollups<T extends object>(
  { view, kept, onProblem }: { view: ReadTransaction; kept: RollupCache; onProblem: (problem: unknown) => void },
  account: string,
  { unit, from, to, open }: Asked<T>,
): Promise<T[]> {
  const keyOf = (start: number): string => `${unit} ${start} ${account}`;
  const found: T[] = [];
  const missing: number[] = [];
  for (const { start, batch } of await view.rollups(account, unit, from, to)) {
    const known = kept.get(keyOf(start));
    if (known?.batch === batch) found.push(known.opened as T);
    else missing.push(start);
  }
  for (const stored of await view.bodies(account, unit, missing)) {
    const opened = await skipCorrupt(onProblem, () => open(stored));
    if (!opened) continue;
    found.push(opened);
    kept.set(
      keyOf(stored.start),
      { batch: stored.batch, opened },
      { size: Math.max(1, stored.body.length) * BYTES_FOR_PACKED },
    );
  }
  return found;
}
