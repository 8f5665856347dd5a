import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import type { ListHealth } from './list-deps.ts';
import { listHealthOperations } from './list-health.ts';

const health: ListHealth = {
  id: 'adguard_dns_filter',
  isLoaded: true,
  isBuiltIn: true,
  rules: 10,
  ignored: 2,
  invalid: 1,
  changes: undefined,
  fetchedAt: undefined,
  checkedAt: undefined,
  problem: undefined,
  isHeldBack: false,
};

async function shown(t: { after(end: () => unknown): void }, known: readonly ListHealth[]) {
  const { account, deps, done } = await openApi(t, listHealthOperations, { listHealth: () => known });
  const { reply } = await done('getFilterListsHealth', await account('home'));
  const rows = reply as readonly { readonly filter_id: string }[];
  return {
    ids: rows.map((row) => row.filter_id),
    rowOf: (id: string) => rows.find((row) => row.filter_id === id),
    deps,
  };
}
const unused = { is_in_use: false, is_built_in: false, is_held_back: false };

test('each list of the catalogue has a status, and no other list', async (t) => {
  const { ids, rowOf, deps } = await shown(t, [{ ...health, id: 'custom' }]);
  assert.deepEqual(ids, [...deps.catalogue.lists.keys()]);
  assert.deepEqual(rowOf('adguard_dns_filter'), { filter_id: 'adguard_dns_filter', ...unused });
});

test('a built-in list has counts and no times', async (t) => {
  const { rowOf } = await shown(t, [health]);
  assert.deepEqual(rowOf('adguard_dns_filter'), {
    filter_id: 'adguard_dns_filter',
    is_in_use: true,
    is_built_in: true,
    is_held_back: false,
    rules_count: 10,
    ignored_count: 2,
    invalid_count: 1,
  });
});

test('a downloaded list has the times of its download and check; an error has its time, and a new download its progress', async (t) => {
  const { rowOf } = await shown(t, [
    {
      ...health,
      isBuiltIn: false,
      isHeldBack: true,
      fetchedAt: 0,
      checkedAt: 1000,
      problem: { why: 'HTTP 500', since: 2000 },
      download: { receivedBytes: 5, totalBytes: 10 },
    },
  ]);
  assert.deepEqual(rowOf('adguard_dns_filter'), {
    filter_id: 'adguard_dns_filter',
    is_in_use: true,
    is_built_in: false,
    is_held_back: true,
    rules_count: 10,
    ignored_count: 2,
    invalid_count: 1,
    time_updated: '1970-01-01T00:00:00.000Z',
    time_checked: '1970-01-01T00:00:01.000Z',
    problem: 'HTTP 500',
    problem_since: '1970-01-01T00:00:02.000Z',
    download: { received_bytes: 5, total_bytes: 10 },
  });
});
