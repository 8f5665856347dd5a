import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListHealth } from '../list-deps.ts';
import { downloadToWire, ruleCountsToWire } from './list-health.ts';

const health: ListHealth = {
  id: 'ads',
  isLoaded: true,
  isBuiltIn: false,
  rules: 10,
  ignored: 2,
  invalid: 0,
  changes: undefined,
  fetchedAt: 0,
  checkedAt: undefined,
  problem: undefined,
  isHeldBack: false,
};
const counts = { rules_count: 10, ignored_count: 2, invalid_count: 0 };

test('a list that was never downloaded has no counts, unless the built-in list is used', () => {
  assert.deepEqual(ruleCountsToWire(undefined), {});
  assert.deepEqual(ruleCountsToWire({ ...health, fetchedAt: undefined }), {});
  assert.deepEqual(ruleCountsToWire({ ...health, fetchedAt: undefined, isBuiltIn: true }), counts);
});

test('the changes of the last update are absent before the first update', () => {
  assert.deepEqual(ruleCountsToWire(health), counts);
  assert.deepEqual(ruleCountsToWire({ ...health, changes: { added: 3, removed: 0 } }), {
    ...counts,
    added_count: 3,
    removed_count: 0,
  });
});

test('a download in progress has the received bytes, and the size if the servers send it', () => {
  assert.deepEqual(downloadToWire({}), {});
  assert.deepEqual(downloadToWire({ download: undefined }), {});
  assert.deepEqual(downloadToWire({ download: { receivedBytes: 0, totalBytes: undefined } }), {
    download: { received_bytes: 0 },
  });
  assert.deepEqual(downloadToWire({ download: { receivedBytes: 5, totalBytes: 10 } }), {
    download: { received_bytes: 5, total_bytes: 10 },
  });
});
