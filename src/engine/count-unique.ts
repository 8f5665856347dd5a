import { findSlot, type ListTable } from './list-table.ts';
import { EMPTY, KIND, ONLY_COMPLEX, SLOT } from './table-layout.ts';

type Slots = Pick<ListTable, 'slots' | 'capacity'>;

export type UniqueCount = { readonly domains: number; readonly unique: number };

const PART_SLOTS = 20_000;

/**
 * Domains of a table that have a rule without modifiers, and those of them that no other table has. The caller can do
 * other work after each part. All tables must have the same secret.
 */
export function* countUnique({ slots }: Slots, others: readonly Slots[]): Generator<void, UniqueCount> {
  let domains = 0;
  let unique = 0;
  for (let at = 0; at < slots.length; at += SLOT) {
    if (at % (PART_SLOTS * SLOT) === 0 && at > 0) yield;
    const low = slots[at + 1]!;
    const kind = low & KIND;
    if (kind === EMPTY || kind === ONLY_COMPLEX) continue;
    domains += 1;
    if (others.every((other) => findSlot(other, slots[at]!, low) === -1)) unique += 1;
  }
  return { domains, unique };
}
