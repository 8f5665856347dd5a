import { setImmediate as otherWork } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { countUnique, type UniqueCount } from '../engine/count-unique.ts';
import { openTable } from '../engine/list-table.ts';
import type { LiveTable } from './managed-list.ts';

export type ListOverlap = UniqueCount & { readonly id: string };

/** Number of cached results; many profiles use the same set of lists. */
const CACHED_SETS = 200;

/** Counts the domains of each list that no other list of the set has. Lists without a table are absent. */
export function createListOverlap(tableOf: (id: string) => LiveTable | undefined) {
  const counted = new LRUCache<string, Promise<readonly ListOverlap[]>>({ max: CACHED_SETS });

  return (ids: readonly string[]): Promise<readonly ListOverlap[]> => {
    const live = [...new Set(ids)].toSorted().flatMap((id) => tableOf(id) ?? []);
    const key = live.map(({ id, version }) => `${id} ${version}`).join('\n');
    const cached = counted.get(key);
    if (cached) return cached;
    const counting = countAll(live);
    counted.set(key, counting);
    return counting;
  };
}

async function countAll(live: readonly LiveTable[]): Promise<readonly ListOverlap[]> {
  const tables = live.map(({ id, buffer }) => openTable(id, buffer));
  const found: ListOverlap[] = [];
  for (const table of tables) {
    const counting = countUnique(
      table,
      tables.filter((other) => other !== table),
    );
    let step = counting.next();
    while (!step.done) {
      await otherWork();
      step = counting.next();
    }
    found.push({ id: table.id, ...step.value });
    await otherWork();
  }
  return found;
}
