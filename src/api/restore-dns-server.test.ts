import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { deviceOperations } from './devices.ts';
import { dnsServerOperations } from './dns-servers.ts';
import { restoreDnsServerOperations } from './restore-dns-server.ts';

async function openRemoved(t: { after(end: () => unknown): void }) {
  const steps = { perRule: 0 };
  const api = await openApi(t, [...restoreDnsServerOperations, ...dnsServerOperations, ...deviceOperations], {
    expressionSteps: () => steps.perRule,
  });
  const home = await api.account('home');
  const create = async (name: string): Promise<string> =>
    (await api.done('createDNSServer', home, { body: { name } })).reply.id;
  const id = await create('Children');
  const params = { dns_server_id: id };
  const body = { device_type: 'ANDROID', dns_server_id: id, name: 'Phone' };
  const device: string = (await api.done('createDevice', home, { body })).reply.id;
  const rules = { user_rules_settings: { rules: ['||a.example^'] } };
  await api.done('updateDNSServerSettings', home, { params, body: rules });
  await api.done('removeDNSServer', home, { params });
  const restore = (caller = home) => api.call('restoreDNSServer', caller, { params });
  return { ...api, home, create, id, device, restore, steps };
}
const notFound = { ok: false, error: { kind: 'not found', what: 'DNS server' } };

test('a DNS server is restored once, with its id, settings and devices', async (t) => {
  const { id, device, restore } = await openRemoved(t);
  const restored = await restore();
  assert.ok(restored.ok);
  const { reply, audit } = restored.value;
  assert.deepEqual([reply.id, reply.name, reply.device_ids], [id, 'Children', [device]]);
  assert.deepEqual(reply.settings.user_rules_settings.rules, ['||a.example^']);
  assert.deepEqual([audit?.action, audit?.subject], ['dns_server.restore', id]);
  assert.deepEqual(await restore(), notFound);
});

test('a DNS server of another account, or one that was removed more than a minute ago, is not found', async (t) => {
  const { account, call, home, clock, restore } = await openRemoved(t);
  assert.deepEqual(await restore(await account('other')), notFound);
  assert.deepEqual(await call('restoreDNSServer', home, { params: { dns_server_id: 'no id' } }), notFound);
  clock.now += 60_001;
  assert.deepEqual(await restore(), notFound);
});

test('nothing is restored beyond the limit of DNS servers or of regular expressions', async (t) => {
  const { home, create, call, store, restore, steps } = await openRemoved(t);
  steps.perRule = 50_001;
  const tooComplex = { ok: false, error: { kind: 'limit reached', what: 'userRules', limit: 50_000 } };
  assert.deepEqual(await restore(), tooComplex);
  assert.equal((await store.read.profiles.list(home.account)).length, 1);
  steps.perRule = 0;
  const first = await create('First');
  await create('Second');
  assert.deepEqual(await restore(), {
    ok: false,
    error: { kind: 'limit reached', what: 'dnsServers', limit: 3 },
  });
  assert.ok((await call('removeDNSServer', home, { params: { dns_server_id: first } })).ok);
  steps.perRule = 50_000;
  assert.ok((await restore()).ok);
});
