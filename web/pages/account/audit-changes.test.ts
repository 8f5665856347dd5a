import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf } from './audit-changes.ts';

test('changes are listed by path', () => {
  const before = { name: 'Phone', settings: { ttl: 10, rules: ['||a^', '||b^'] } };
  const after = { name: 'Tablet', settings: { ttl: 10.5, rules: [] } };
  assert.deepEqual(changesOf(before, after), [
    { path: 'name', before: 'Phone', after: 'Tablet' },
    { path: 'settings.ttl', before: '10', after: '10.5' },
    { path: 'settings.rules', before: '||a^\n||b^', after: '' },
  ]);
});

test('created values have only an after, removed ones only a before, and plain values no path', () => {
  assert.deepEqual(changesOf(undefined, { name: 'Phone' }), [{ path: 'name', after: 'Phone' }]);
  assert.deepEqual(changesOf({ on: true }, undefined), [{ path: 'on', before: 'true' }]);
  assert.deepEqual(changesOf(undefined, '192.0.2.1'), [{ path: '', after: '192.0.2.1' }]);
  assert.deepEqual(changesOf(undefined, undefined), []);
});
