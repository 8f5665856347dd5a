import { findSlot, tagAt } from '../list-table.ts';
import type { NameKeys } from '../name-keys.ts';
import { filterBits, levelBit } from '../table-layout.ts';
import type { EngineProfile, Extent } from './profile.ts';

/** Slots of a name and its parents in the tables of a profile: by decreasing number of labels, then by table. */
export type Matches = {
  count: number;
  /** Table and number of labels in one word; see `tableOf` and `labelsOf`. */
  positions: Int32Array;
  slots: Int32Array;
  tags: Int32Array;
};

const FEW = 64;
const LABEL_BITS = 7;
const LABEL_MASK = 0x7f;

export const createMatches = (): Matches => ({
  count: 0,
  positions: new Int32Array(FEW),
  slots: new Int32Array(FEW),
  tags: new Int32Array(FEW),
});

export const tableAt = (position: number): number => position >>> LABEL_BITS;
export const labelsAt = (position: number): number => position & LABEL_MASK;
export const tableOf = ({ positions }: Matches, nth: number): number => tableAt(positions[nth]!);
export const labelsOf = ({ positions }: Matches, nth: number): number => labelsAt(positions[nth]!);

/** Tests the filter of each table, and looks the name up where the filter may contain it. */
export function findMatches(
  { tables, labelDepths }: EngineProfile,
  { tables: tableCount, wholeNames }: Pick<Extent, 'tables' | 'wholeNames'>,
  keys: NameKeys,
  into: Matches,
): void {
  makeRoom(into, keys.count * tableCount);
  const { positions, slots, tags } = into;
  const { high, low } = keys;
  let count = 0;
  const least = wholeNames ? keys.count : 1;
  for (let labels = keys.count; labels >= least; labels--) {
    if ((labelDepths & levelBit(labels)) === 0) continue;
    const upper = high[labels]!;
    const lower = low[labels]!;
    const bits = filterBits(upper);
    for (let index = 0; index < tableCount; index++) {
      const { table, filter, filterShift } = tables[index]!;
      if ((filter[lower >>> filterShift]! & bits) !== bits) continue;
      const slot = findSlot(table, upper, lower);
      if (slot < 0) continue;
      positions[count] = (index << LABEL_BITS) | labels;
      slots[count] = slot;
      tags[count] = tagAt(table, slot);
      count += 1;
    }
  }
  into.count = count;
}

function makeRoom(matches: Matches, needed: number): void {
  if (matches.positions.length >= needed) return;
  matches.positions = new Int32Array(2 * needed);
  matches.slots = new Int32Array(2 * needed);
  matches.tags = new Int32Array(2 * needed);
}
