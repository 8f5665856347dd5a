import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';

test('lines of any white space are dropped', () => {
  const lines = ['', ' ', '\t\v\f', '\u00a0\u2003\u3000\ufeff', 'a', ' a ', '\u200b', '\u0085'];
  assert.deepEqual(transform(lines, ['RemoveEmptyLines']), ['a', ' a ', '\u200b', '\u0085']);
});

test('they are dropped from lists of any length', () => {
  fc.assert(
    fc.property(longLists, (lines) => {
      assert.deepEqual(
        transform(lines, ['RemoveEmptyLines']),
        lines.filter((line) => line.trim() !== ''),
      );
    }),
    { numRuns: 50 },
  );
});
