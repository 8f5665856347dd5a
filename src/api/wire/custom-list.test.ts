import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId } from '../../../test/support/store/accounts.ts';
import type { CustomList } from '../../domain/custom-list.ts';
import { customListToWire } from './custom-list.ts';

const list: CustomList = {
  id: 'list-1',
  account: accountId('anna'),
  name: 'Mine',
  source: { kind: 'url', url: 'https://lists.example/a.txt' },
  createdAt: Date.UTC(2026, 0, 1),
};
const bare = {
  id: 'list-1',
  name: 'Mine',
  time_created: '2026-01-01T00:00:00.000Z',
  is_in_use: false,
  is_held_back: false,
};
const url = 'https://lists.example/a.txt';

test('a list that is not in use has no counts and no times', () => {
  assert.deepEqual(customListToWire(list, undefined), { ...bare, url });
});

test('the content is a URL, rules or a configuration', () => {
  const rules = '||ads.example^\n';
  const configuration = { name: 'Mine', sources: [] };
  assert.deepEqual(customListToWire({ ...list, source: { kind: 'rules', rules } }, undefined), { ...bare, rules });
  assert.deepEqual(customListToWire({ ...list, source: { kind: 'configuration', configuration } }, undefined), {
    ...bare,
    configuration,
  });
});

test('a list in use has counts, the times of its download and check, and the error of the last one', () => {
  const health = {
    id: 'list-1',
    isLoaded: true,
    isBuiltIn: false,
    rules: 10,
    ignored: 2,
    invalid: 1,
    changes: { added: 4, removed: 5 },
    fetchedAt: Date.UTC(2026, 0, 2),
    checkedAt: Date.UTC(2026, 0, 3),
    problem: { why: 'HTTP 500', since: 0 },
    isHeldBack: true,
    download: { receivedBytes: 5, totalBytes: undefined },
  };
  const whole = {
    ...bare,
    url,
    is_in_use: true,
    rules_count: 10,
    ignored_count: 2,
    invalid_count: 1,
    added_count: 4,
    removed_count: 5,
    time_updated: '2026-01-02T00:00:00.000Z',
    time_checked: '2026-01-03T00:00:00.000Z',
    problem: 'HTTP 500',
    is_held_back: true,
    download: { received_bytes: 5 },
  };
  assert.deepEqual(customListToWire(list, health), whole);
  const failed = {
    ...health,
    download: undefined,
    fetchedAt: undefined,
    checkedAt: undefined,
    isLoaded: false,
    isHeldBack: false,
  };
  assert.deepEqual(customListToWire(list, failed), { ...bare, url, problem: 'HTTP 500' });
});
