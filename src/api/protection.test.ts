import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import type { LoadedFilters } from '../domain/protection-state.ts';
import { deviceOperations } from './devices.ts';
import { pauseOperations } from './pauses.ts';
import { protectionOperations } from './protection.ts';

const operations = [...protectionOperations, ...pauseOperations, ...deviceOperations];
const loaded: LoadedFilters = { isFiltering: true, missing: [], isParentalPaused: false, areUpstreamsDown: false };

async function openHome(t: Parameters<typeof openApi>[0], filters: Partial<LoadedFilters> = {}) {
  const loadedFilters = async (ids: readonly string[]) => new Map(ids.map((id) => [id, { ...loaded, ...filters }]));
  const api = await openApi(t, operations, { loadedFilters });
  const home = await api.account('home');
  const body = { device_type: 'ANDROID', dns_server_id: home.server, name: 'Phone' };
  const device: string = (await api.done('createDevice', home, { body })).reply.id;
  const states = async () => {
    const { state, dns_servers } = (await api.done('getProtection', home)).reply;
    const [phone] = (await api.done('getDeviceProtection', home)).reply;
    return [state, dns_servers[0].state, phone.state, ...phone.reasons.map(({ code }: { code: string }) => code)].join(
      ' ',
    );
  };
  return { ...api, home, device, states };
}

test('a device without queries is unknown, or protected without a log', async (t) => {
  const { states, home, store } = await openHome(t);
  assert.equal(await states(), 'protected protected unknown not_seen');
  await store.inTransaction(async (tx) => {
    const account = await tx.accounts.find(home.account);
    await tx.accounts.update({ ...account!, logEnabled: false });
  });
  assert.equal(await states(), 'protected protected protected');
});

test('lists that are not loaded are named', async (t) => {
  const { done, home } = await openHome(t, { missing: ['adguard_dns_filter'] });
  const { reasons } = (await done('getProtection', home)).reply;
  assert.deepEqual(reasons, [
    { code: 'lists_not_loaded', text: 'Some enabled lists are not loaded.', lists: ['adguard_dns_filter'] },
  ]);
});

test('a pause of a device, a DNS server or everything is stored, audited, ends by itself or on request', async (t) => {
  const { done, home, device, states, clock } = await openHome(t);
  const start = clock.now;
  const paused = await done('pauseProtection', home, { body: { device_id: device, minutes: 5 } });
  assert.equal(Date.parse(paused.reply.paused_until), start + 300_000);
  assert.deepEqual([paused.audit?.action, paused.audit?.subject], ['device.pause', device]);
  assert.equal(await states(), 'protected protected paused device_paused');
  clock.now += 300_000;
  assert.equal(await states(), 'protected protected unknown not_seen');

  const server = { dns_server_id: home.server };
  assert.equal(
    (await done('pauseProtection', home, { body: { ...server, minutes: 60 } })).audit?.action,
    'dns_server.pause',
  );
  assert.equal(await states(), 'paused paused paused dns_server_paused');
  await done('resumeProtection', home, { body: server });
  assert.equal(await states(), 'protected protected unknown not_seen');

  const everything = await done('pauseProtection', home, { body: { until: 'tomorrow' } });
  assert.deepEqual([everything.audit?.action, everything.audit?.subject], ['protection.pause', undefined]);
  await done('pauseProtection', home, { body: { device_id: device, minutes: 9999 } });
  assert.equal(await states(), 'paused paused paused device_paused dns_server_paused');
  await done('resumeProtection', home, { body: {} });
  assert.equal(await states(), 'protected protected unknown not_seen', 'pauses of devices end too');
});

test('invalid pauses are rejected with their field, and those of another account are not found', async (t) => {
  const { account, call, device, home, states } = await openHome(t);
  const other = await account('other');
  const failure = async (caller: typeof home, body: object): Promise<string> => {
    const result = await call('pauseProtection', caller, { body });
    if (result.ok) return 'done';
    return result.error.kind === 'invalid' ? result.error.errors.map(({ field }) => field).join() : result.error.kind;
  };
  assert.equal(await failure(home, {}), 'minutes');
  assert.equal(await failure(home, { minutes: 0 }), 'minutes');
  assert.equal(await failure(home, { minutes: 5, until: 'tomorrow' }), 'minutes');
  assert.equal(await failure(home, { minutes: 5, device_id: device, dns_server_id: home.server }), 'device_id');
  assert.equal(await failure(home, { minutes: 5, device_id: 'nonsense' }), 'not found');
  assert.equal(await failure(other, { minutes: 5, device_id: device }), 'not found');
  assert.equal(await failure(other, { minutes: 5, dns_server_id: home.server }), 'not found');
  assert.equal(await failure(other, { minutes: 5 }), 'done');
  assert.equal(await states(), 'protected protected unknown not_seen');
});
