import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { managementDeps } from '../../test/support/management.ts';
import type { Deps, DnsState } from './deps.ts';
import { systemOperations } from './system.ts';

const forbidden = { kind: 'forbidden', why: 'Only the operator of this installation may do this' };
const dns: DnsState = {
  areSettingsCurrent: true,
  accounts: 1,
  devices: 0,
  upstreams: [],
  lists: [],
  customLists: 0,
  cache: { entries: 0, bytes: 0 },
  udp: {},
  certificateEndsAt: undefined,
  certificates: [],
};

async function openSystem(t: { after(end: () => unknown): void }, given: Partial<Deps> = {}) {
  const accepted: string[] = [];
  const backups: string[] = [];
  const state = await managementDeps(() => 0).system();
  const listOf = (id: string) => ({
    id,
    isLoaded: true,
    isBuiltIn: false,
    rules: accepted.includes(id) ? 2 : 100,
    ignored: 0,
    invalid: 0,
    changes: undefined,
    fetchedAt: undefined,
    checkedAt: undefined,
    problem: undefined,
    isHeldBack: !accepted.includes(id),
  });
  const api = await openApi(t, systemOperations, {
    system: async () => ({ ...state, dns: { ...dns, lists: [listOf('ads')] } }),
    acceptList: async (id) => void accepted.push(id),
    backUp: async () => {
      backups.push('made');
      return { file: '/data/backups/a.backup', bytes: 17, at: 0 };
    },
    ...given,
  });
  const home = await api.account('home');
  return { ...api, home, accepted, backups };
}

test('the operator sees the status of the service', async (t) => {
  const { done, home } = await openSystem(t);
  const { reply } = await done('getSystem', home);
  assert.deepEqual([reply.version, reply.dns.lists[0].filter_id], ['0', 'ads']);
});

test('a backup of the operator is audited with its file', async (t) => {
  const { done, home } = await openSystem(t);
  assert.deepEqual(await done('createBackup', home), {
    reply: { file: '/data/backups/a.backup', size_bytes: 17, time_created: '1970-01-01T00:00:00.000Z' },
    audit: { action: 'system.backup', subject: '/data/backups/a.backup' },
  });
});

test('a version that is held back is accepted, and the new status of the list is the response', async (t) => {
  const { done, home, accepted } = await openSystem(t);
  assert.deepEqual(await done('acceptFilterList', home, { params: { filter_id: 'ads' } }), {
    reply: { filter_id: 'ads', is_in_use: true, rules_count: 2, is_held_back: false },
    audit: { action: 'system.accept_list', subject: 'ads' },
  });
  assert.deepEqual(accepted, ['ads']);
});

test('a list that is not in use, and any list without DNS, is not found and not accepted', async (t) => {
  const notFound = { ok: false, error: { kind: 'not found', what: 'filter list' } };
  const { call, home, accepted } = await openSystem(t);
  assert.deepEqual(await call('acceptFilterList', home, { params: { filter_id: 'other' } }), notFound);
  assert.deepEqual(accepted, []);
  const bare = await openSystem(t, { system: managementDeps(() => 0).system });
  assert.deepEqual(await bare.call('acceptFilterList', bare.home, { params: { filter_id: 'ads' } }), notFound);
});

test('other owners, and admins of the first account, are refused before anything is done', async (t) => {
  const { account, call, home, accepted, backups } = await openSystem(t);
  for (const caller of [await account('other'), { ...home, role: 'admin' } as const])
    for (const operation of ['getSystem', 'createBackup', 'acceptFilterList'])
      assert.deepEqual(await call(operation, caller, { params: { filter_id: 'ads' } }), {
        ok: false,
        error: forbidden,
      });
  assert.deepEqual([accepted, backups], [[], []]);
});

test('an installation without an operator refuses everyone', async (t) => {
  const { call, home } = await openSystem(t, { operator: 'nobody' });
  assert.deepEqual(await call('getSystem', home), { ok: false, error: forbidden });
});

test('every operation needs a session: an API key is not enough', () => {
  for (const { operationId, handler } of systemOperations)
    assert.equal(handler.kind !== 'public' && handler.requires, 'self', operationId);
});
