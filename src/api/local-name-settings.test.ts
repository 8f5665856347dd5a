import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { rebindingPresets } from '../domain/local-name-settings.ts';
import { localNameSettingOperations } from './local-name-settings.ts';

async function openSettings(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, localNameSettingOperations);
  const home = await api.account('home');
  const params = { dns_server_id: home.server };
  const update = (body: object, caller = home) => api.call('updateDNSServerLocalNames', caller, { params, body });
  const get = async () => (await api.done('getDNSServerLocalNames', home, { params })).reply;
  return { ...api, home, params, update, get };
}
const off = { rebinding_allowed: [], search_domains: [], rebinding_presets: rebindingPresets };

test('a new DNS server has no DNS64, no search domains and no allowed domains', async (t) => {
  const { get } = await openSettings(t);
  assert.deepEqual(await get(), off);
});

test('all members are replaced in canonical form; absent DNS64 is switched off', async (t) => {
  const { update, get, params } = await openSettings(t);
  const updated = await update({ dns64: {}, rebinding_allowed: ['*.Plex.direct'], search_domains: ['LAN', 'lan'] });
  assert.ok(updated.ok);
  const { reply, audit } = updated.value;
  const on = { ...off, dns64: { prefix: '64:ff9b::/96' }, rebinding_allowed: ['plex.direct'], search_domains: ['lan'] };
  assert.deepEqual(reply, on);
  assert.deepEqual(await get(), on);
  assert.deepEqual([audit?.action, audit?.subject], ['dns_server.local_names', params.dns_server_id]);
  assert.ok((await update({ rebinding_allowed: [], search_domains: [] })).ok);
  assert.deepEqual(await get(), off);
});

test('other extensions of the DNS server stay', async (t) => {
  const { home, store, update } = await openSettings(t);
  const [profile] = await store.read.profiles.list(home.account);
  const own = { ...profile!.settings.own, pausedUntil: 5000 };
  await store.inTransaction(({ profiles }) =>
    profiles.update({ ...profile!, settings: { ...profile!.settings, own } }),
  );
  await update({ rebinding_allowed: [], search_domains: ['lan'] });
  const [after] = await store.read.profiles.list(home.account);
  assert.deepEqual(after!.settings.own, { ...own, searchDomains: ['lan'] });
});

test('each invalid entry is an error with its position, and nothing is stored', async (t) => {
  const { update, get } = await openSettings(t);
  const body = { dns64: { prefix: '64::/95' }, rebinding_allowed: ['a', 'b..c'], search_domains: [' '] };
  const result = await update(body);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(result.error.errors.map(({ field }) => field).sort(), [
    'dns64.prefix',
    'rebinding_allowed[1]',
    'search_domains[0]',
  ]);
  assert.deepEqual(await get(), off);
});

test('a DNS server of another account is not found', async (t) => {
  const { account, call, params } = await openSettings(t);
  const other = await account('other');
  for (const operation of ['getDNSServerLocalNames', 'updateDNSServerLocalNames'])
    assert.deepEqual(await call(operation, other, { params, body: { rebinding_allowed: [], search_domains: [] } }), {
      ok: false,
      error: { kind: 'not found', what: 'DNS server' },
    });
});

test('both operations have the ETag of the DNS server', async (t) => {
  const { home, params, store } = await openSettings(t);
  const [profile] = await store.read.profiles.list(home.account);
  for (const { handler, operationId } of localNameSettingOperations) {
    const state = handler.kind !== 'public' && handler.stateOf?.(store.read, { caller: home, params } as never);
    assert.deepEqual(await state, [profile!.name, profile!.settings], operationId);
  }
});
