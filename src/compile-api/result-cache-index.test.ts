import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultIndex } from './result-cache.ts';

const entry = (key: string, contentId: string) => ({ key, contentId });

test('a result is found by its key and by its content, until it is removed', () => {
  const index = resultIndex({ maxBytes: 10 });
  const a = entry('a', 'x');
  index.put(a, 1);
  assert.deepEqual([index.get('a'), index.getByContent('x')], [a, a]);
  index.forget('a');
  index.forget('a');
  assert.deepEqual([index.get('a'), index.getByContent('x')], [undefined, undefined]);
});

test('a result that replaces another is not found by the content of the other', () => {
  const index = resultIndex({ maxBytes: 10 });
  index.put(entry('a', 'x'), 1);
  index.put(entry('a', 'y'), 1);
  assert.equal(index.getByContent('x'), undefined);
  assert.deepEqual(index.getByContent('y'), entry('a', 'y'));
});

test('of two results with the same content, one is found after the other was evicted', () => {
  const index = resultIndex({ maxBytes: 2 });
  index.put(entry('a', 'x'), 1);
  index.put(entry('b', 'x'), 1);
  assert.deepEqual(index.put(entry('c', 'y'), 1), [entry('a', 'x')]);
  assert.deepEqual(index.getByContent('x'), entry('b', 'x'));
});

test('a result above the size limit is returned and not indexed', () => {
  const index = resultIndex({ maxBytes: 2 });
  assert.deepEqual(index.put(entry('a', 'x'), 3), [entry('a', 'x')]);
  assert.deepEqual([index.get('a'), index.getByContent('x')], [undefined, undefined]);
});

test('an index of 0 bytes stores nothing', () => {
  const index = resultIndex({ maxBytes: 0 });
  assert.deepEqual(index.put(entry('a', 'x'), 1), [entry('a', 'x')]);
  assert.equal(index.get('a'), undefined);
});
