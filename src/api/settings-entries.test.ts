import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { settingsEntryOperations } from './settings-entries.ts';

async function openEntries(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, settingsEntryOperations);
  const [home, other] = [await api.account('home'), await api.account('other')];
  const settings = async () => (await api.store.read.profiles.list(home.account))[0]!.settings;
  return { ...api, home, other, settings, params: { dns_server_id: home.server } };
}

test('one entry is added or removed, and the others stay', async (t) => {
  const { done, home, settings, params } = await openEntries(t);
  const add = async (rule: string) => (await done('addUserRule', home, { params, body: { rule } })).reply;
  assert.deepEqual(await add('||a.example^'), { count: 1 });
  assert.deepEqual(await add('||b.example^'), { count: 2 });
  assert.deepEqual(await add('||a.example^'), { count: 2 });
  await done('removeUserRule', home, { params, query: { rule: '||a.example^' } });
  assert.deepEqual((await settings()).userRules.rules, ['||b.example^']);
});

test('a rule without effect is stored with the reason; an invalid one is an error of the entry', async (t) => {
  const { call, done, home, params } = await openEntries(t);
  const { reply } = await done('addUserRule', home, { params, body: { rule: 'example.org##.ad' } });
  assert.equal(typeof reply.ignored_reason, 'string');
  const invalid = await call('addUserRule', home, { params, body: { rule: '/[/' } });
  assert.ok(!invalid.ok && invalid.error.kind === 'invalid');
  assert.deepEqual(
    invalid.error.errors.map(({ field }) => field),
    ['rule'],
  );
});

test('clients, filter lists and services are entries too; unknown ids are errors of the entry', async (t) => {
  const { call, done, home, settings, params } = await openEntries(t);
  await done('addBlockedClient', home, { params, body: { client: '192.0.2.1' } });
  await done('addAllowedClient', home, { params, body: { client: '192.0.2.0/24' } });
  const { access } = await settings();
  assert.deepEqual(
    [access.blockedClients, access.allowedClients].map((clients) => clients.length),
    [1, 1],
  );
  for (const [operation, body, field] of [
    ['addBlockedClient', { client: 'office' }, 'client'],
    ['addFilterList', { filter_id: 'missing' }, 'filter_id'],
    ['addBlockedService', { id: 'missing' }, 'id'],
  ] as const) {
    const result = await call(operation, home, { params, body });
    assert.ok(!result.ok && result.error.kind === 'invalid', operation);
    assert.deepEqual(
      result.error.errors.map((error) => error.field),
      [field],
    );
  }
  await done('removeBlockedClient', home, { params, query: { client: '192.0.2.1' } });
});

test('the limit of the plan applies to single entries', async (t) => {
  const { call, home, params } = await openEntries(t);
  for (let number = 0; number < 10; number += 1)
    assert.ok((await call('addUserRule', home, { params, body: { rule: `||${number}.example^` } })).ok);
  assert.equal((await call('addUserRule', home, { params, body: { rule: '||one-more.example^' } })).ok, false);
});

test('entries that are not in the list, and servers of another account, are not found', async (t) => {
  const { call, home, other, settings, params } = await openEntries(t);
  const before = await settings();
  for (const [operation, caller, input] of [
    ['removeUserRule', home, { query: { rule: '||missing.example^' } }],
    ['removeFilterList', home, { params: { filter_id: 'missing' } }],
    ['addUserRule', other, { body: { rule: '||a.example^' } }],
    ['removeBlockedClient', other, { query: { client: '192.0.2.1' } }],
  ] as const) {
    const result = await call(operation, caller, {
      ...input,
      params: { ...params, ...('params' in input ? input.params : {}) },
    });
    assert.equal(!result.ok && result.error.kind, 'not found', operation);
  }
  assert.deepEqual(await settings(), before);
});
