import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findSlot } from './list-table.ts';
import { createNameSlots, isFull, type NameSlots, resizeFor, slotFor, usedSlots } from './name-slots.ts';
import { EMPTY, KIND, SLOT, TAG } from './table-layout.ts';

const fingerprint = fc.tuple(fc.integer(), fc.integer());

/** A slot for each name, with the offset of its line. */
function fill(table: NameSlots, all: readonly (readonly [number, number])[]): void {
  for (const [nth, [high, low]] of all.entries()) {
    if (isFull(table)) resizeFor(table, table.names * 1.08 + 16);
    const slot = slotFor(table, high, low);
    if ((table.slots[slot * SLOT + 1]! & KIND) !== EMPTY) continue;
    table.slots[slot * SLOT + 1]! |= 1;
    table.lines[slot] = nth;
  }
}

test('each name is found in its slot with its line, also after the table has grown', () => {
  fc.assert(
    fc.property(fc.array(fingerprint, { maxLength: 400 }), fc.integer({ min: 1, max: 500 }), (all, names) => {
      const table = createNameSlots(1, 1000);
      fill(table, all);
      resizeFor(table, Math.max(names, table.names));
      resizeFor(table, table.names);
      const first = new Map([...all.entries()].reverse().map(([nth, [high, low]]) => [`${high} ${low & ~TAG}`, nth]));
      assert.equal(table.names, first.size);
      for (const [high, low] of all)
        assert.equal(table.lines[findSlot(table, high, low)], first.get(`${high} ${low & ~TAG}`));
    }),
  );
});

test('the order of names does not matter', () => {
  fc.assert(
    fc.property(fc.array(fingerprint, { maxLength: 100 }), (all) => {
      const [one, other] = [all, all.toReversed()].map((each) => {
        const table = createNameSlots(7, 1e6);
        fill(table, each);
        resizeFor(table, table.names);
        return [...table.slots.subarray(0, usedSlots(table) * SLOT)];
      });
      assert.deepEqual(one, other);
    }),
  );
});

test('names with similar fingerprints are stored in adjacent slots', () => {
  const table = createNameSlots(10, 1e6);
  fill(
    table,
    Array.from({ length: 1000 }, (_, nth) => [-1, nth << 4]),
  );
  resizeFor(table, table.names);
  for (let nth = 0; nth < 1000; nth++) assert.notEqual(findSlot(table, -1, nth << 4), -1);
  assert.equal(findSlot(table, -1, 1000 << 4), -1);
});
