import { findSlot, tagAt } from './list-table.ts';
import type { NameKeys } from './name-keys.ts';
import type { EngineProfile } from './profile.ts';
import { filterBits, levelBit, SLOT, scaled } from './table-layout.ts';

/** Where a name and the names above it stand in the tables of a profile: by decreasing number of labels, then by table. */
export type Hits = {
  count: number;
  /** The table and the number of labels in one word; see `tableOf` and `labelsOf`. */
  places: Int32Array;
  slots: Int32Array;
  tags: Int32Array;
};

const FEW = 64;
const LABEL_BITS = 7;
const LABEL_MASK = 0x7f;

export const createHits = (): Hits => ({
  count: 0,
  places: new Int32Array(FEW),
  slots: new Int32Array(FEW),
  tags: new Int32Array(FEW),
});

export const tableOf = ({ places }: Hits, nth: number): number => places[nth]! >>> LABEL_BITS;
export const labelsOf = ({ places }: Hits, nth: number): number => places[nth]! & LABEL_MASK;

/**
 * Asks the filters of all tables. The tables are asked afterwards, by `keepFound`: what a filter says is not waited for
 * before the next is asked, nor before other work, so that memory answers many at once.
 */
export function askFilters({ tables, levels }: EngineProfile, tableCount: number, keys: NameKeys, into: Hits): void {
  makeRoom(into, keys.count * tableCount);
  const { places } = into;
  const { high, low } = keys;
  let candidates = 0;
  for (let labels = keys.count; labels > 0; labels--) {
    if ((levels & levelBit(labels)) === 0) continue;
    const bits = filterBits(high[labels]!);
    const chooser = low[labels]!;
    for (let index = 0; index < tableCount; index++) {
      const { filter, filterShift } = tables[index]!;
      const missing = (filter[chooser >>> filterShift]! & bits) ^ bits;
      places[candidates] = (index << LABEL_BITS) | labels;
      // One more if nothing is missing, without a branch that nobody could foretell.
      candidates += ((missing | -missing) >>> 31) ^ 1;
    }
  }
  into.count = candidates;
}

function makeRoom(hits: Hits, needed: number): void {
  // One place more: what the last filter denies is written too.
  if (hits.places.length > needed) return;
  hits.places = new Int32Array(2 * needed);
  hits.slots = new Int32Array(2 * needed);
  hits.tags = new Int32Array(2 * needed);
}

/**
 * Of what the filters let through, what the tables have. Where there are several, all are read once before the first
 * is searched for: those reads wait for memory together.
 */
export function keepFound({ tables }: EngineProfile, keys: NameKeys, hits: Hits): void {
  const { places, slots, tags, count: candidates } = hits;
  for (let nth = candidates > 1 ? 0 : candidates; nth < candidates; nth++) {
    const { table } = tables[tableOf(hits, nth)]!;
    slots[nth] = table.slots[scaled(keys.high[labelsOf(hits, nth)]!, table.capacity) * SLOT]!;
  }
  let count = 0;
  for (let nth = 0; nth < candidates; nth++) {
    const labels = labelsOf(hits, nth);
    const { table } = tables[tableOf(hits, nth)]!;
    const slot = findSlot(table, keys.high[labels]!, keys.low[labels]!);
    if (slot < 0) continue;
    places[count] = places[nth]!;
    slots[count] = slot;
    tags[count] = tagAt(table, slot);
    count += 1;
  }
  hits.count = count;
}
