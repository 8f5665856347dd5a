import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, type ValueText } from './audit-changes.ts';

const write: ValueText = (_key, value) => String(value);

test('changes are listed by path', () => {
  const before = { name: 'Phone', settings: { ttl: 10, rules: ['||a^', '||b^'] } };
  const after = { name: 'Tablet', settings: { ttl: 10.5, rules: [] } };
  assert.deepEqual(changesOf(before, after, write), [
    { path: ['name'], before: 'Phone', after: 'Tablet' },
    { path: ['settings', 'ttl'], before: '10', after: '10.5' },
    { path: ['settings', 'rules'], before: '||a^\n||b^', after: '' },
  ]);
});

test('created values have only an after, removed ones only a before, and plain values no path', () => {
  assert.deepEqual(changesOf(undefined, { name: 'Phone' }, write), [{ path: ['name'], after: 'Phone' }]);
  assert.deepEqual(changesOf({ on: true }, undefined, write), [{ path: ['on'], before: 'true' }]);
  assert.deepEqual(changesOf(undefined, '192.0.2.1', write), [{ path: [], after: '192.0.2.1' }]);
  assert.deepEqual(changesOf(undefined, undefined, write), []);
});

test('ids of the entry and its account are left out, switches and objects in lists are written as text', () => {
  const after = {
    id: 'abc',
    account: 'def',
    lists: [{ id: 'adguard', enabled: true }],
    identifiers: [{ kind: 'mac', value: '02:00:00:00:00:01' }],
  };
  assert.deepEqual(changesOf(undefined, after, write), [
    { path: ['lists'], after: 'adguard: true' },
    { path: ['identifiers'], after: 'mac · 02:00:00:00:00:01' },
  ]);
});
