import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DamagedBytes, numbering, openColumns, packColumns } from './columns.ts';
import { combinations } from './combinations.ts';

const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));

test('columns are read as they were packed, wherever their bytes begin', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 400 }), fc.nat(2 ** 32 - 1), fc.nat(7), (values, most, offset) => {
      const { values: different, of } = numbering();
      const bytes = packColumns(values.length, {
        a: { values: different, codes: values.map(of) },
        b: { codes: values.map((_, place) => (place === 0 ? most : place)) },
        c: { codes: values.map(() => 0) },
      });
      const moved = new Uint8Array(bytes.length + offset);
      moved.set(bytes, offset);
      const open = openColumns(moved.subarray(offset));
      assert.equal(open.length, values.length);
      assert.deepEqual(
        Array.from(open.codes('a'), (code) => open.values('a')[code]),
        values,
      );
      assert.deepEqual(
        [...open.codes('b')],
        values.map((_, place) => (place === 0 ? most : place)),
      );
      assert.deepEqual(
        [...open.codes('c')],
        values.map(() => 0),
      );
    }),
  );
});

test('bytes that were changed are known as damaged', () => {
  const packed = packColumns(3, { a: { values: ['x', 'y'], codes: [0, 1, 0] } });
  for (let place = 0; place < packed.length; place += 1) {
    const changed = packed.slice();
    changed[place]! ^= 0x10;
    assert.throws(() => openColumns(changed), DamagedBytes);
  }
  assert.throws(() => openColumns(packed.subarray(0, 5)), DamagedBytes);
});

test('combinations are numbered in the order they are met, however many there are', () => {
  const known = combinations(0);
  const plain = new Map<string, number>();
  for (let turn = 0; turn < 60_000; turn += 1) {
    const row = [turn % 2, turn % 3, 0, turn % 5, 7, 0, (turn * 7919) % 9001] as const;
    const key = row.join();
    if (!plain.has(key)) plain.set(key, plain.size);
    assert.equal(known.of(...row), plain.get(key));
  }
  const columns = [0, 1, 2, 3, 4, 5, 6].map(known.column);
  assert.equal(known.size(), plain.size);
  assert.deepEqual(
    Array.from(plain.keys(), (_, at) => columns.map((column) => column[at]).join()),
    [...plain.keys()],
  );
});
