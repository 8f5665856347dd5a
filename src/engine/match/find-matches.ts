import { findSlot, tagAt } from '../list-table.ts';
import type { NameKeys } from '../name-keys.ts';
import { filterBits, levelBit } from '../table-layout.ts';
import type { EngineProfile } from './profile.ts';

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

export const tableAt = (place: number): number => place >>> LABEL_BITS;
export const labelsAt = (place: number): number => place & LABEL_MASK;
export const tableOf = ({ places }: Hits, nth: number): number => tableAt(places[nth]!);
export const labelsOf = ({ places }: Hits, nth: number): number => labelsAt(places[nth]!);

/** Asks the filters of all tables, and where a filter may know the name, the table itself. */
export function findHits({ tables, levels }: EngineProfile, tableCount: number, keys: NameKeys, into: Hits): void {
  makeRoom(into, keys.count * tableCount);
  const { places, slots, tags } = into;
  const { high, low } = keys;
  let count = 0;
  for (let labels = keys.count; labels > 0; labels--) {
    if ((levels & levelBit(labels)) === 0) continue;
    const upper = high[labels]!;
    const lower = low[labels]!;
    const bits = filterBits(upper);
    for (let index = 0; index < tableCount; index++) {
      const { table, filter, filterShift } = tables[index]!;
      if ((filter[lower >>> filterShift]! & bits) !== bits) continue;
      const slot = findSlot(table, upper, lower);
      if (slot < 0) continue;
      places[count] = (index << LABEL_BITS) | labels;
      slots[count] = slot;
      tags[count] = tagAt(table, slot);
      count += 1;
    }
  }
  into.count = count;
}

function makeRoom(hits: Hits, needed: number): void {
  if (hits.places.length >= needed) return;
  hits.places = new Int32Array(2 * needed);
  hits.slots = new Int32Array(2 * needed);
  hits.tags = new Int32Array(2 * needed);
}
