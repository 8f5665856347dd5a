import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shareEqual } from './structural-sharing.ts';

test('equal values stay the same object at any depth', () => {
  const old = { name: 'Home', rules: { enabled: true, rules: ['a', 'b'] }, access: { clients: ['10.0.0.0/8'] } };
  const next = structuredClone(old);
  assert.equal(shareEqual(old, next), old);
  const changed = shareEqual(old, { ...next, rules: { enabled: true, rules: ['a', 'c'] } });
  assert.notEqual(changed, old);
  assert.equal(changed.access, old.access);
  assert.deepEqual(changed.rules, { enabled: true, rules: ['a', 'c'] });
});

test('a member that is undefined is not one that is missing', () => {
  assert.deepEqual(Object.keys(shareEqual({ a: 1 }, { a: 1, b: undefined })), ['a', 'b']);
  assert.deepEqual(Object.keys(shareEqual<object>({ a: 1, b: undefined }, { a: 1 })), ['a']);
  assert.deepEqual(Object.keys(shareEqual<object>({ b: undefined }, { c: undefined })), ['c']);
});

test('a list that grew, shrank or became something else is the new one', () => {
  assert.deepEqual(shareEqual(['a'], ['a', 'b']), ['a', 'b']);
  assert.deepEqual(shareEqual(['a', 'b'], ['a']), ['a']);
  assert.deepEqual(shareEqual(['a'], { 0: 'a' }), { 0: 'a' });
  assert.deepEqual(shareEqual({ a: 1 }, null), null);
});

test('the result always equals the new value', () => {
  const data = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(data, data, (old, next) => {
      assert.deepEqual(shareEqual(old, next), next);
      assert.equal(shareEqual(next, structuredClone(next)), next);
    }),
  );
});
