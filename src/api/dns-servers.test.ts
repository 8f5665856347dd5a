import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { deviceOperations } from './devices.ts';
import { dnsServerOperations } from './dns-servers.ts';
import { ruleProblemOperations } from './rule-problems.ts';
import { temporaryRuleOperations } from './temporary-rules.ts';

const operations = [...dnsServerOperations, ...deviceOperations, ...ruleProblemOperations, ...temporaryRuleOperations];
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

test('invalid rules are rejected with their position; stored ones stay', async (t) => {
  const { account, call, done } = await openApi(t, operations);
  const home = await account('home');
  const params = { dns_server_id: home.server };
  const set = (rules: readonly string[]) =>
    call('updateDNSServerSettings', home, { params, body: { user_rules_settings: { rules } } });
  const accepted = ['! a comment', '', '||ads.example^', 'example.com##.ad', '$dnstype=AAAA,denyallow=example.org'];
  assert.ok((await set(accepted)).ok);
  const refused = await set([...accepted, '||bad.example^$dnstype=~A|~WRONG']);
  assert.ok(!refused.ok && refused.error.kind === 'invalid');
  assert.deepEqual(
    refused.error.errors.map(({ field }) => field),
    ['user_rules_settings.rules[5]'],
  );
  const access = { access_settings: { blocked_domain_rules: ['/(/'] } };
  const refusedAccess = await call('updateDNSServerSettings', home, { params, body: access });
  assert.ok(!refusedAccess.ok && refusedAccess.error.kind === 'invalid');
  assert.equal(refusedAccess.error.errors[0]?.field, 'access_settings.blocked_domain_rules[0]');
  const { reply } = await done('listRuleProblems', home, { params });
  assert.deepEqual([reply.total, reply.items[0].index, reply.items[0].kind], [1, 3, 'ignored']);
  assert.equal(reply.items[0].rule.slice(reply.items[0].start, reply.items[0].end), 'example.com##.ad');
});

test('a temporary rule without effect is rejected', async (t) => {
  const { account, call } = await openApi(t, operations);
  const home = await account('home');
  const params = { dns_server_id: home.server };
  for (const rule of ['! comment', 'example.com##.ad', '||a.example^$dnstype=NOPE', '*']) {
    const result = await call('createTemporaryRule', home, { params, body: { rule, minutes: 5 } });
    assert.ok(!result.ok && result.error.kind === 'invalid', rule);
    assert.equal(result.error.errors[0]?.field, 'rule');
  }
  assert.ok((await call('createTemporaryRule', home, { params, body: { rule: '||a.example^', minutes: 5 } })).ok);
});
