import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPairTable } from './pair-table.ts';

test('each pair has one id, and its values are computed once', () => {
  const computed: string[] = [];
  const table = createPairTable(2, (one, other, values) => {
    computed.push(`${one} ${other}`);
    values[0] = `v${one % 3}`;
    if (other !== 0) values[1] = other;
  });
  const pairs = Array.from({ length: 200 }, (_, number) => [number >> 1, number % 2] as const);
  for (const _ of [1, 2])
    assert.deepEqual(
      pairs.map(([one, other]) => table.of(one, other)),
      [...pairs.keys()],
    );
  assert.equal(computed.length, 200);
  assert.equal(table.size(), 200);
  assert.deepEqual(
    [table.valuesOf(0), table.valuesOf(199)],
    [
      ['v0', null],
      ['v0', 1],
    ],
  );
  const { length, fields } = table.all();
  assert.equal(length, 200);
  assert.deepEqual(fields[0]!.values, ['v0', 'v1', 'v2']);
  assert.equal(fields[0]!.values[fields[0]!.codes[199]!], 'v0');
});
