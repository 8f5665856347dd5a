import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, deviceNumber, profileNumber } from '../../../test/support/store/accounts.ts';
import type { NetworkClient } from '../../domain/network-client.ts';
import { type ClientContext, clientStatsToWire, networkClientToWire } from './network-clients.ts';

const NOW = Date.UTC(2026, 0, 2, 12, 30);
const HOUR = 3_600_000;
const server = profileNumber(1, 'anna');
const other = profileNumber(2, 'anna');

const client: NetworkClient = {
  id: 'client-1',
  account: accountId('anna'),
  mac: '00:11:22:33:44:55',
  addresses: [
    { address: '192.168.1.7', lastSeen: NOW },
    { address: 'fd00::7', lastSeen: NOW - HOUR },
  ],
  names: { mdns: ['tv.local', 'tv'], lease: ['tv'] },
  profile: server.id,
  device: undefined,
  firstSeen: NOW - 30 * HOUR,
  lastSeen: NOW,
  queries: 100,
  hours: [
    { hour: NOW - 24 * HOUR, queries: 50 },
    { hour: NOW - 2 * HOUR, queries: 7 },
    { hour: NOW - HOUR, queries: 5 },
  ],
};
const context: ClientContext = {
  now: NOW,
  vendorOf: (mac) => (mac === '00:11:22:33:44:55' ? 'Example Inc.' : 'another'),
  device: undefined,
  isServer: () => true,
};

test('a client has the host name of the most reliable source, each host name once, and the vendor of its MAC address', () => {
  assert.deepEqual(networkClientToWire(client, context), {
    id: 'client-1',
    name: 'tv',
    name_source: 'lease',
    host_names: ['tv', 'tv.local'],
    mac: '00:11:22:33:44:55',
    is_private_mac: false,
    vendor: 'Example Inc.',
    addresses: ['192.168.1.7', 'fd00::7'],
    first_seen_millis: NOW - 30 * HOUR,
    last_seen_millis: NOW,
    queries: 100,
    queries_last_day: 12,
    dns_server_id: '00000001',
  });
});

test('a client with a device has the name and the DNS server of the device', () => {
  const device = deviceNumber(9, other, { name: 'Television' });
  const { name, name_source, device_id, dns_server_id, host_names } = networkClientToWire(client, {
    ...context,
    device,
  });
  assert.deepEqual(
    { name, name_source, device_id, dns_server_id, host_names },
    {
      name: 'Television',
      name_source: 'device',
      device_id: '00000009',
      dns_server_id: '00000002',
      host_names: ['tv', 'tv.local'],
    },
  );
});

test('a client without optional data has only the required members', () => {
  const unknown = { ...client, mac: undefined, addresses: [], names: {}, profile: undefined, hours: [], queries: 0 };
  assert.deepEqual(networkClientToWire(unknown, context), {
    id: 'client-1',
    host_names: [],
    is_private_mac: false,
    addresses: [],
    first_seen_millis: NOW - 30 * HOUR,
    last_seen_millis: NOW,
    queries: 0,
    queries_last_day: 0,
  });
});

test('a private MAC address has no vendor, and neither has one that is not in the table', () => {
  const isPrivate = networkClientToWire({ ...client, mac: '02:11:22:33:44:55' }, context);
  assert.deepEqual([isPrivate.mac, isPrivate.is_private_mac], ['02:11:22:33:44:55', true]);
  assert.equal('vendor' in isPrivate, false);
  assert.equal('vendor' in networkClientToWire(client, { ...context, vendorOf: () => undefined }), false);
});

test('a DNS server that was deleted is not shown', () => {
  const shown = networkClientToWire(client, { ...context, isServer: (id) => id !== server.id });
  assert.equal('dns_server_id' in shown, false);
});

test('queries are added up for all addresses of a client; addresses without a client have rows without an id', () => {
  const wire = networkClientToWire(client, context);
  const { name: _, name_source: __, ...nameless } = wire;
  const row = (address: string, queries: number, blocked: number, lastActivity: number) => ({
    address,
    queries,
    blocked,
    lastActivity,
  });
  const counts = [
    row('192.168.1.7', 10, 1, 500),
    row('192.168.1.99', 12, 0, 900),
    row('fd00::7', 5, 2, 800),
    row('192.168.1.8', 3, 3, 100),
  ];
  const clients = [wire, { ...nameless, id: 'client-2', addresses: ['192.168.1.8'] }];
  assert.deepEqual(clientStatsToWire(counts, clients), {
    stats: [
      {
        client_id: 'client-1',
        name: 'tv',
        addresses: ['192.168.1.7', 'fd00::7'],
        queries: 15,
        blocked: 3,
        last_activity_time_millis: 800,
      },
      { addresses: ['192.168.1.99'], queries: 12, blocked: 0, last_activity_time_millis: 900 },
      { client_id: 'client-2', addresses: ['192.168.1.8'], queries: 3, blocked: 3, last_activity_time_millis: 100 },
    ],
  });
  assert.deepEqual(clientStatsToWire([], clients), { stats: [] });
});
