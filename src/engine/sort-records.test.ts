import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RECORD_WORDS, sortRecords } from './sort-records.ts';
import { TAG } from './table-layout.ts';

// Few values, so that equal ones are common, and the outermost of each sign.
const word = fc.oneof(
  fc.constantFrom(0, -1, 1, 16, 2 ** 31 - 1, -(2 ** 31)),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);

test('records are sorted by their fingerprint without its tag, equal ones as they came', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 60 }), (pairs) => {
      const records = pairs.map(([high, low], nth) => [high, low, nth] as const);
      const sorted = sortRecords(Int32Array.from(records.flat()), records.length);
      const plain = records.toSorted(
        (one, other) =>
          (one[0] >>> 0) - (other[0] >>> 0) || ((one[1] & ~TAG) >>> 0) - ((other[1] & ~TAG) >>> 0) || one[2] - other[2],
      );
      assert.deepEqual([...sorted], plain.flat());
    }),
  );
});

test('room behind the records is not looked at', () => {
  assert.deepEqual([...sortRecords(Int32Array.of(5, 0, 0, 3, 0, 1, 1, 0, 9), 2)], [3, 0, 1, 5, 0, 0]);
  assert.equal(sortRecords(new Int32Array(9 * RECORD_WORDS), 0).length, 0);
});
