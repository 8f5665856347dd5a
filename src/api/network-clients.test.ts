import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import type { NetworkClient } from '../domain/network-client.ts';
import { networkClientOperations } from './network-clients.ts';

const MAC = 'b8:27:eb:00:00:01';

const clientOf = (account: AccountId, more: Partial<NetworkClient> = {}): NetworkClient => ({
  id: 'c1',
  account,
  mac: MAC,
  addresses: [
    { address: '192.168.1.5', lastSeen: 2000 },
    { address: 'fd00::5', lastSeen: 1000 },
  ],
  names: { mdns: ['laptop.local'], ptr: ['laptop.lan'] },
  profile: undefined,
  device: undefined,
  firstSeen: 1000,
  lastSeen: 2000,
  queries: 7,
  hours: [],
  ...more,
});

async function openWithClients(t: Parameters<typeof openApi>[0]) {
  let refreshed = 0;
  const networkClients = {
    discovery: 'on' as const,
    refresh: async () => void refreshed++,
    vendorOf: (mac: string) => (mac === MAC ? 'Raspberry Pi' : undefined),
  };
  const api = await openApi(t, networkClientOperations, { networkClients });
  const put = (...clients: readonly NetworkClient[]) => api.store.inTransaction((tx) => tx.networkClients.put(clients));
  return { ...api, put, refreshed: () => refreshed };
}

test('a client is listed with its names, vendor and last DNS server', async (t) => {
  const { account, done, put, clock, refreshed } = await openWithClients(t);
  const home = await account('home');
  const hour = clock.now - 3_600_000;
  await put(
    clientOf(home.account, {
      profile: home.server as ProfileId,
      device: 'gone' as DeviceId,
      hours: [
        { hour, queries: 5 },
        { hour: clock.now - 86_400_000, queries: 100 },
      ],
    }),
  );
  const { reply } = await done('listNetworkClients', home);
  assert.deepEqual(reply, {
    discovery: 'on',
    items: [
      {
        id: 'c1',
        name: 'laptop.lan',
        name_source: 'ptr',
        host_names: ['laptop.lan', 'laptop.local'],
        mac: MAC,
        is_private_mac: false,
        vendor: 'Raspberry Pi',
        addresses: ['192.168.1.5', 'fd00::5'],
        first_seen_millis: 1000,
        last_seen_millis: 2000,
        queries: 7,
        queries_last_day: 5,
        dns_server_id: home.server,
      },
    ],
  });
  assert.equal(refreshed(), 1);
});

test('a private MAC address has no vendor, and a deleted DNS server is left out', async (t) => {
  const { account, done, put } = await openWithClients(t);
  const home = await account('home');
  await put(clientOf(home.account, { mac: 'da:a1:19:00:00:01', names: {}, profile: 'ffffffff' as ProfileId }));
  const [client] = (await done('listNetworkClients', home)).reply.items;
  assert.equal(client.is_private_mac, true);
  for (const member of ['vendor', 'name', 'name_source', 'dns_server_id', 'device_id'])
    assert.equal(client[member], undefined);
});

test('with several accounts only the operator sees network clients, and removes them', async (t) => {
  const { account, call, done, put, store } = await openWithClients(t);
  const [operator, other] = [await account('operator'), await account('other')];
  await put(clientOf(operator.account), clientOf(other.account, { id: 'c2' }));
  assert.deepEqual((await done('listNetworkClients', other)).reply.items, []);
  assert.equal((await done('listNetworkClients', operator)).reply.items.length, 1);
  for (const id of ['c1', 'c2']) {
    const removed = await call('removeNetworkClient', other, { params: { client_id: id } });
    assert.equal(!removed.ok && removed.error.kind, 'not found', id);
  }
  const { audit } = await done('removeNetworkClient', operator, { params: { client_id: 'c1' } });
  assert.deepEqual([audit?.action, audit?.subject], ['network_client.remove', 'c1']);
  assert.deepEqual(await store.read.networkClients.list(operator.account), []);
  assert.equal((await store.read.networkClients.list(other.account)).length, 1);
});

const adoption = (server: string, more: object = {}) => ({
  name: 'Laptop',
  dns_server_id: server,
  device_type: 'LINUX',
  identify_by: 'mac',
  ...more,
});

test('a client becomes a device that is recognised by its MAC address', async (t) => {
  const { account, done, put, store } = await openWithClients(t);
  const home = await account('home');
  await put(clientOf(home.account));
  const params = { client_id: 'c1' };
  const { reply, audit } = await done('adoptNetworkClient', home, { params, body: adoption(home.server) });
  const [device] = await store.read.devices.list(home.account);
  assert.deepEqual([device!.name, device!.type], ['Laptop', 'LINUX']);
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(home.account, device!.id), [
    { kind: 'mac', value: MAC },
  ]);
  assert.deepEqual([reply.device_id, reply.name, reply.name_source], [device!.id, 'Laptop', 'device']);
  assert.deepEqual([audit?.action, audit?.subject], ['device.create', device!.id]);
  assert.match(JSON.stringify(audit?.after), /b8:27:eb:00:00:01/);
  assert.equal((await done('listNetworkClients', home)).reply.items[0].device_id, device!.id);
});

test('a client becomes a device that is recognised by its last address', async (t) => {
  const { account, done, put, store } = await openWithClients(t);
  const home = await account('home');
  await put(clientOf(home.account, { mac: undefined }));
  const body = adoption(home.server, { identify_by: 'address' });
  const { reply } = await done('adoptNetworkClient', home, { params: { client_id: 'c1' }, body });
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(home.account, reply.device_id), [
    { kind: 'address', value: '192.168.1.5' },
  ]);
});

test('an adoption that is not possible creates no device and names the field', async (t) => {
  const { account, call, done, put, store } = await openWithClients(t);
  const home = await account('home');
  await put(clientOf(home.account), clientOf(home.account, { id: 'c2', mac: undefined, addresses: [] }));
  const fieldsOf = async (client: string, body: object): Promise<unknown> => {
    const adopted = await call('adoptNetworkClient', home, { params: { client_id: client }, body });
    assert.ok(!adopted.ok && adopted.error.kind === 'invalid', client);
    return adopted.error.errors.map(({ field }) => field);
  };
  assert.deepEqual(await fieldsOf('c2', adoption(home.server)), ['identify_by']);
  assert.deepEqual(await fieldsOf('c2', adoption(home.server, { identify_by: 'address' })), ['identify_by']);
  assert.deepEqual(await fieldsOf('c1', adoption('ffffffff')), ['dns_server_id']);
  assert.deepEqual(await store.read.devices.list(home.account), []);
  await done('adoptNetworkClient', home, { params: { client_id: 'c1' }, body: adoption(home.server) });
  assert.deepEqual(await fieldsOf('c1', adoption(home.server)), ['identify_by']);
  assert.equal((await store.read.devices.list(home.account)).length, 1);
});

test('only the operator adopts where there are several accounts', async (t) => {
  const { account, call, put, store } = await openWithClients(t);
  await account('operator');
  const other = await account('other');
  await put(clientOf(other.account));
  const adopted = await call('adoptNetworkClient', other, {
    params: { client_id: 'c1' },
    body: adoption(other.server),
  });
  assert.equal(!adopted.ok && adopted.error.kind, 'not found');
  assert.deepEqual(await store.read.devices.list(other.account), []);
});

test('statistics add up the addresses of a client and leave out devices and other accounts', async (t) => {
  const { account, done, put, log, clock } = await openWithClients(t);
  const [home, other] = [await account('home'), await account('other')];
  await put(clientOf(home.account));
  const row = (clientSubnet: string | undefined, more: Partial<Parameters<typeof aRecord>[0]> = {}) => {
    const { device: _, ...record } = aRecord({ account: home.account, time: clock.now - 60_000 });
    return { ...record, ...(clientSubnet !== undefined && { clientSubnet }), ...more };
  };
  await log.append([
    row('192.168.1.5', { status: 'REQUEST_BLOCKED' }),
    row('fd00::5'),
    row('fd00::5', { time: clock.now - 30_000 }),
    row('192.168.1.9'),
    row('192.168.1.5', { device: 'phone' }),
    row(undefined),
    row('192.168.1.5', { account: other.account }),
    row('192.168.1.5', { time: clock.now - 7_200_000 }),
  ]);
  const query = { time_from_millis: clock.now - 3_600_000, time_to_millis: clock.now };
  assert.deepEqual((await done('getNetworkClientStats', home, { query })).reply, {
    stats: [
      {
        client_id: 'c1',
        name: 'laptop.lan',
        addresses: ['fd00::5', '192.168.1.5'],
        queries: 3,
        blocked: 1,
        last_activity_time_millis: clock.now - 30_000,
      },
      { addresses: ['192.168.1.9'], queries: 1, blocked: 0, last_activity_time_millis: clock.now - 60_000 },
    ],
  });
  const { stats } = (await done('getNetworkClientStats', other, { query })).reply;
  assert.deepEqual(stats, [
    { addresses: ['192.168.1.5'], queries: 1, blocked: 0, last_activity_time_millis: clock.now - 60_000 },
  ]);
});
