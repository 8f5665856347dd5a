import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from './columns.ts';
import { createDictionary, encodeValue } from './dictionary-encoder.ts';

test('values have codes in order of first occurrence, few as well as many', () => {
  for (const count of [1, 8, 9, 10, 200]) {
    const dictionary = createDictionary();
    const values: Value[] = Array.from({ length: count }, (_, index) => (index === 0 ? null : `v${index}`));
    for (const round of [1, 2])
      assert.deepEqual(
        values.map((value) => encodeValue(dictionary, value)),
        [...values.keys()],
        `${count} values, round ${round}`,
      );
    assert.deepEqual(dictionary.values, values);
  }
});

test('values of different types are different values', () => {
  const dictionary = createDictionary();
  const values: Value[] = ['1', 1, true, 'true', null, 'null', '', 0, false];
  assert.deepEqual(
    values.map((value) => encodeValue(dictionary, value)),
    [...values.keys()],
  );
});

test('a dictionary continues after the values that it starts with, and leaves their array unchanged', () => {
  const first: readonly Value[] = ['a', 'b'];
  const dictionary = createDictionary(first);
  assert.deepEqual([encodeValue(dictionary, 'b'), encodeValue(dictionary, 'c')], [1, 2]);
  assert.deepEqual(first, ['a', 'b']);
});
