import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { deviceOperations } from './devices.ts';
import { dnsServerOperations } from './dns-servers.ts';

const operations = [...dnsServerOperations, ...deviceOperations];
const notFound = { ok: false, error: { kind: 'not found', what: 'DNS server' } };

test('servers are created up to the limit of the plan, each with an audit entry', async (t) => {
  const { account, call, done } = await openApi(t, operations);
  const home = await account('home');
  for (const name of ['Kids', 'Guests']) {
    const { reply, audit } = await done('createDNSServer', home, { body: { name } });
    assert.equal(reply.name, name);
    assert.deepEqual([audit?.action, audit?.subject], ['dns_server.create', reply.id]);
  }
  assert.deepEqual(await call('createDNSServer', home, { body: { name: 'Fourth' } }), {
    ok: false,
    error: { kind: 'limit reached', what: 'dnsServers', limit: 3 },
  });
});

test('a server of another account is not found by any operation, and stays unchanged', async (t) => {
  const { account, call, done, store } = await openApi(t, operations);
  const [home, other] = [await account('home'), await account('other')];
  const before = await store.read.profiles.list(home.account);
  const params = { dns_server_id: home.server };
  for (const [operation, body] of [
    ['getDNSServer', undefined],
    ['updateDNSServer', { name: 'Mine now' }],
    ['getDNSServerSettings', undefined],
    ['updateDNSServerSettings', { block_private_relay: true }],
    ['removeDNSServer', undefined],
  ] as const) {
    const result = await call(operation, other, { params, body });
    assert.equal(!result.ok && result.error.kind, notFound.error.kind, operation);
  }
  assert.deepEqual(await store.read.profiles.list(home.account), before);
  assert.deepEqual(
    (await done('listDNSServers', other)).reply.map(({ id }: { id: string }) => id),
    [other.server],
  );
});

test('removing a server moves its devices to the default one, which cannot be removed', async (t) => {
  const { account, call, done, store } = await openApi(t, operations);
  const home = await account('home');
  const { reply } = await done('createDNSServer', home, { body: { name: 'Kids' } });
  await done('createDevice', home, { body: { device_type: 'ANDROID', dns_server_id: reply.id, name: 'Phone' } });
  const { audit } = await done('removeDNSServer', home, { params: { dns_server_id: reply.id } });
  assert.deepEqual([audit?.action, audit?.subject], ['dns_server.remove', reply.id]);
  assert.deepEqual(
    (await store.read.devices.list(home.account)).map(({ profile }) => profile),
    [home.server],
  );
  const removed = await call('removeDNSServer', home, { params: { dns_server_id: home.server } });
  assert.equal(!removed.ok && removed.error.kind, 'invalid');
});

test('an update changes the given settings only, and the audit entry has the difference only', async (t) => {
  const { account, done } = await openApi(t, operations);
  const home = await account('home');
  const params = { dns_server_id: home.server };
  const before = (await done('getDNSServerSettings', home, { params })).reply;
  const { audit } = await done('updateDNSServerSettings', home, { params, body: { block_ttl_seconds: 77 } });
  const after = (await done('getDNSServerSettings', home, { params })).reply;
  assert.deepEqual(after, { ...before, block_ttl_seconds: 77 });
  assert.equal(audit?.action, 'dns_server.settings');
  assert.deepEqual(Object.keys(audit?.after ?? {}), ['settings']);
  assert.match(JSON.stringify(audit?.after), /77/);
  assert.doesNotMatch(JSON.stringify(audit?.after), /userRules/);
});

test('user rules are limited by the plan over all servers', async (t) => {
  const { account, call, done } = await openApi(t, operations);
  const home = await account('home');
  const rules = (count: number) => ({
    user_rules_settings: { rules: Array.from({ length: count }, (_, at) => `||name-${at}.example^`) },
  });
  await done('updateDNSServerSettings', home, { params: { dns_server_id: home.server }, body: rules(7) });
  const create = (count: number) => call('createDNSServer', home, { body: { name: 'Kids', settings: rules(count) } });
  const tooMany = await create(4);
  assert.ok(!tooMany.ok && tooMany.error.kind === 'invalid');
  assert.deepEqual(
    tooMany.error.errors.map(({ field, kind }) => [field, kind]),
    [['settings.user_rules_settings.rules', 'limit reached']],
  );
  assert.equal((await create(3)).ok, true);
});
