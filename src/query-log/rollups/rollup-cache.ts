import { LRUCache } from 'lru-cache';
import type { ReadTransaction, RollupUnit, StoredRollup } from '../backends/log-backend.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';

/** Limit for all accounts; the least recently used entries are evicted. */
const MAX_BYTES = 64 * 2 ** 20;
// Decoded strings take about twice their encoded size, in addition to the encoded bytes.
const BYTES_PER_STORED_BYTE = 3;

type CachedRollup = { readonly batch: number; readonly opened: object };
export type RollupCache = LRUCache<string, CachedRollup>;

export const createRollupCache = (): RollupCache => new LRUCache({ maxSize: MAX_BYTES });

type RollupRange<T> = {
  readonly unit: RollupUnit;
  readonly from: number;
  readonly to: number;
  readonly open: (stored: StoredRollup) => T;
};

/** Decoded rollups of a time range. A changed rollup has another batch and is read again; most never change. */
export async function readRollups<T extends object>(
  { view, cache, onProblem }: { view: ReadTransaction; cache: RollupCache; onProblem: (problem: unknown) => void },
  account: string,
  { unit, from, to, open }: RollupRange<T>,
): Promise<T[]> {
  const keyOf = (start: number): string => `${unit} ${start} ${account}`;
  const found: T[] = [];
  const missing: number[] = [];
  for (const { start, batch } of await view.rollups(account, unit, from, to)) {
    const cached = cache.get(keyOf(start));
    if (cached?.batch === batch) found.push(cached.opened as T);
    else missing.push(start);
  }
  for (const stored of await view.bodies(account, unit, missing)) {
    const opened = await skipCorrupt(onProblem, () => open(stored));
    if (!opened) continue;
    found.push(opened);
    cache.set(
      keyOf(stored.start),
      { batch: stored.batch, opened },
      { size: Math.max(1, stored.body.length) * BYTES_PER_STORED_BYTE },
    );
  }
  return found;
}
