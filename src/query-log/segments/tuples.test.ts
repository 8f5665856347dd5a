import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from './columns.ts';
import { createDictionary } from './dictionary-encoder.ts';
import type { EncodedTuples } from './row.ts';
import { compactCodes, encodeTuples, encodeValues, mergeTuples, usedTuples, usedValues } from './tuples.ts';

/** The values of each row. */
const rowsOf = ({ fields, codes }: EncodedTuples): Value[][] =>
  Array.from(codes, (tuple) => fields.map((field) => field.values[field.codes[tuple]!]!));

function tuplesOf(rows: readonly (readonly Value[])[]): EncodedTuples {
  const columns = rows[0]!.map((_, index) => {
    const dictionary = createDictionary();
    return {
      codes: encodeValues(
        rows.map((row) => row[index]!),
        dictionary,
      ),
      values: dictionary.values,
    };
  });
  return encodeTuples(columns, rows.length);
}
const many = Array.from({ length: 40 }, (_, row) => ['same', `a${row % 2}`, row % 3 === 0 ? null : `b${row % 3}`]);

test('equal tuples are stored once; for a few rows they are not compared', () => {
  const tuples = tuplesOf(many);
  assert.deepEqual(rowsOf(tuples), many);
  assert.equal(tuples.length, 6);
  const few = tuplesOf(many.slice(0, 15));
  assert.deepEqual([rowsOf(few), few.length], [many.slice(0, 15), 15]);
  const alike = tuplesOf(many.map(() => ['same', 'same']));
  assert.equal(alike.length, 1);
});

test('merged tuples have the rows of all parts and no tuple twice', () => {
  const other = [...many.slice(0, 20), ['another', 'a9', null]];
  const merged = mergeTuples([tuplesOf(many), tuplesOf(other)], many.length + other.length);
  assert.deepEqual(rowsOf(merged), [...many, ...other]);
  assert.equal(merged.length, 7);
});

test('tuples and values that no row uses are removed', () => {
  const tuples = tuplesOf(many);
  const chosen = [tuples.codes[1]!, tuples.codes[1]!];
  const used = usedTuples(tuples, chosen);
  assert.deepEqual(rowsOf(used), [many[1], many[1]]);
  assert.deepEqual(
    used.fields.map(({ values }) => values),
    [['same'], ['a1'], ['b1']],
  );
  assert.deepEqual(usedValues({ values: ['x', 'y', 'z'], codes: [2, 2, 0] }), {
    values: ['z', 'x'],
    codes: Uint32Array.of(0, 0, 1),
  });
});

test('codes are renumbered in order of first occurrence, also after an earlier call with other codes', () => {
  compactCodes([5, 3, 1], 6);
  const { codes, usedCodes } = compactCodes([4, 1, 4, 0], 5);
  assert.deepEqual(
    [[...codes], [...usedCodes]],
    [
      [0, 1, 0, 2],
      [4, 1, 0],
    ],
  );
});
