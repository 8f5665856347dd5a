import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInterner, UNKNOWN } from './interner.ts';

const runs: readonly (readonly number[])[] = [[], [0], [0, 0], [1, 2], [2, 1], [-1, 7, 7]];

test('equal runs of words have one id, in order of first occurrence; a longer run is another one', () => {
  const interner = createInterner({ maxLength: 3, expected: 1 });
  for (const [id, words] of runs.entries()) {
    interner.input.set(words);
    assert.equal(interner.find(words.length), UNKNOWN);
    assert.equal(interner.add(), id);
    assert.equal(interner.find(words.length), id);
  }
  assert.deepEqual([...interner.words().subarray(0, 10)], runs.flat());
});

test('it is full at its limits, and empty when it was cleared', () => {
  const interner = createInterner({ maxLength: 2, maxCount: 2, maxWords: 100 });
  for (const word of [5, 6]) {
    assert.equal(interner.isFull(), false);
    interner.input[0] = word;
    assert.equal(interner.find(1), UNKNOWN);
    interner.add();
  }
  assert.equal(interner.isFull(), true);
  interner.clear();
  assert.deepEqual([interner.find(1), interner.count(), interner.isFull()], [UNKNOWN, 0, false]);
  const narrow = createInterner({ maxLength: 2, maxWords: 3 });
  assert.equal(narrow.find(2), UNKNOWN);
  narrow.add();
  assert.equal(narrow.isFull(), true);
});
