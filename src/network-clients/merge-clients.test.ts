import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import { MAX_NETWORK_CLIENTS, type NetworkClient, queriesOfDay } from '../domain/network-client.ts';
import { DAY_MS, HOUR_MS } from '../kit/durations.ts';
import { hostTable } from './host-table.ts';
import { mergeClients, type Sighting } from './merge-clients.ts';

const account = 'a1' as AccountId;
const now = Date.parse('2026-11-17T12:30:00Z');
const laptop = 'b8:27:eb:00:00:01';
const phone = 'b8:27:eb:00:00:02';
const none = { neighbours: [], leases: [], hosts: [], ptr: [], mdns: [] };
const nothingKnown = hostTable(none);
const at = (address: string, more: Partial<Sighting> = {}): Sighting => ({
  address,
  mac: undefined,
  profile: undefined,
  device: undefined,
  lastSeen: now,
  queries: 1,
  ...more,
});
const neighbour = (address: string, mac: string) => hostTable({ ...none, neighbours: [{ address, mac }] });

function merging(clients: readonly NetworkClient[] = []) {
  let ids = clients.length;
  let current = clients;
  return {
    see: (sightings: readonly Sighting[], hosts = nothingKnown): readonly NetworkClient[] => {
      const merged = mergeClients({ account, clients: current, sightings, hosts, newId: () => `c${++ids}` });
      const changed = new Set([...merged.changed.map(({ id }) => id), ...merged.removed]);
      current = [...current.filter(({ id }) => !changed.has(id)), ...merged.changed];
      return current;
    },
  };
}

test('a new address is a new client, its further queries are counted', () => {
  const { see } = merging();
  see([at('192.168.1.5', { profile: 'p1' as ProfileId, queries: 3 })]);
  const [client, ...others] = see([at('192.168.1.5', { queries: 2, lastSeen: now + 1000, device: 'd1' as DeviceId })]);
  assert.deepEqual(others, []);
  assert.deepEqual(client, {
    id: 'c1',
    account,
    mac: undefined,
    addresses: [{ address: '192.168.1.5', lastSeen: now + 1000 }],
    names: {},
    profile: 'p1',
    device: 'd1',
    firstSeen: now,
    lastSeen: now + 1000,
    queries: 5,
    hours: [{ hour: Date.parse('2026-11-17T12:00:00Z'), queries: 5 }],
  });
});

test('a host with several addresses is one client by its MAC address', () => {
  const { see } = merging();
  const neighbours = ['192.168.1.5', 'fd00::5'].map((address) => ({ address, mac: laptop }));
  const ptr = [{ address: '192.168.1.5', names: ['laptop.lan'] }];
  const [client, ...others] = see([at('192.168.1.5'), at('fd00::5')], hostTable({ ...none, neighbours, ptr }));
  assert.deepEqual(others, []);
  assert.equal(client!.mac, laptop);
  assert.equal(client!.queries, 2);
  assert.deepEqual(client!.names, { ptr: ['laptop.lan'] });
  assert.deepEqual(
    client!.addresses.map(({ address }) => address),
    ['fd00::5', '192.168.1.5'],
  );
});

test('a host with a new address stays the same client, and the old address passes to its next user', () => {
  const { see } = merging();
  see([at('192.168.1.5')], neighbour('192.168.1.5', laptop));
  const [client] = see([at('192.168.1.9', { lastSeen: now + 1 })], neighbour('192.168.1.9', laptop));
  assert.equal(client!.id, 'c1');
  const clients = see([at('192.168.1.5', { lastSeen: now + 2 })], neighbour('192.168.1.5', phone));
  const addressesOf = Object.fromEntries(
    clients.map(({ mac, addresses }) => [mac, addresses.map(({ address }) => address)]),
  );
  assert.deepEqual(addressesOf, { [laptop]: ['192.168.1.9'], [phone]: ['192.168.1.5'] });
});

test('a client known by address gets its MAC address later', () => {
  const { see } = merging();
  see([at('192.168.1.5')]);
  const clients = see([at('192.168.1.5')], neighbour('192.168.1.5', laptop));
  assert.deepEqual(
    clients.map(({ id, mac, queries }) => [id, mac, queries]),
    [['c1', laptop, 2]],
  );
  // The neighbour table has lost the entry meanwhile.
  assert.equal(see([at('192.168.1.5')])[0]!.mac, laptop);
});

test('two clients are joined when they prove to be one host', () => {
  const { see } = merging();
  see([at('192.168.1.5', { queries: 10 })], neighbour('192.168.1.5', laptop));
  see([at('fd00::5', { queries: 5, lastSeen: now - 1000 })]);
  const clients = see([at('fd00::5')], neighbour('fd00::5', laptop));
  assert.equal(clients.length, 1);
  assert.equal(clients[0]!.id, 'c1');
  assert.equal(clients[0]!.queries, 16);
  assert.equal(clients[0]!.firstSeen, now - 1000);
  assert.equal(queriesOfDay(clients[0]!, now), 16);
});

test('clients behind a forwarder are distinguished by the MAC address that it sends', () => {
  const { see } = merging();
  const router = '192.168.1.1';
  const hosts = hostTable({
    ...none,
    neighbours: [{ address: router, mac: 'b8:27:eb:00:00:aa' }],
    leases: [{ address: '192.168.1.5', mac: laptop, name: 'laptop' }],
  });
  const clients = see([at(router, { mac: laptop }), at(router, { mac: phone })], hosts);
  assert.deepEqual(
    clients.map(({ mac, names, addresses }) => [mac, names, addresses.map(({ address }) => address)]),
    [
      [laptop, { lease: ['laptop'] }, ['192.168.1.5']],
      [phone, {}, []],
    ],
  );
});

test('a query through a forwarder does not say which address the client uses', () => {
  const { see } = merging();
  const neighbours = ['192.168.1.5', '192.168.1.9'].map((address) => ({ address, mac: laptop }));
  const hosts = hostTable({ ...none, neighbours });
  see([at('192.168.1.9')], hosts);
  const [client] = see([at('192.168.1.1', { mac: laptop, lastSeen: now + 1000 })], hosts);
  assert.deepEqual(client!.addresses, [{ address: '192.168.1.9', lastSeen: now }]);
  assert.equal(client!.lastSeen, now + 1000);
});

test('names stay while no source has one', () => {
  const { see } = merging();
  const named = (name: string) => hostTable({ ...none, ptr: [{ address: '192.168.1.5', names: [name] }] });
  see([at('192.168.1.5')], named('one.lan'));
  assert.deepEqual(see([at('192.168.1.5')])[0]!.names, { ptr: ['one.lan'] });
  assert.deepEqual(see([at('192.168.1.5')], named('two.lan'))[0]!.names, { ptr: ['two.lan'] });
});

test('new names alone do not make a client', () => {
  const { see } = merging();
  assert.deepEqual(see([at('192.168.1.5', { queries: 0 })]), []);
});

test('addresses that were not used for a week are removed, and at most 16 remain', () => {
  const { see } = merging();
  const neighbours = Array.from({ length: 20 }, (_, nth) => ({ address: `fd00::${nth + 1}`, mac: laptop }));
  const hosts = hostTable({ ...none, neighbours });
  see([at('fd00::1', { lastSeen: now - 8 * DAY_MS }), at('fd00::2')], hosts);
  const [client] = see([at('fd00::3')], hosts);
  assert.deepEqual(client!.addresses.map(({ address }) => address).sort(), ['fd00::2', 'fd00::3']);
  const [later] = see(
    neighbours.map(({ address }, nth) => at(address, { lastSeen: now + nth })),
    hosts,
  );
  assert.equal(later!.addresses.length, 16);
  assert.equal(later!.addresses[0]!.address, 'fd00::20');
});

test('queries are counted by hour for one day', () => {
  const { see } = merging();
  see([at('192.168.1.5', { queries: 100, lastSeen: now - 30 * HOUR_MS })]);
  see([at('192.168.1.5', { queries: 10, lastSeen: now - 23 * HOUR_MS })]);
  const [client] = see([at('192.168.1.5', { queries: 1 })]);
  assert.equal(client!.queries, 111);
  assert.equal(queriesOfDay(client!, now), 11);
  assert.equal(queriesOfDay(client!, now + 2 * HOUR_MS), 1);
  assert.equal(client!.hours.length, 2);
});

test('at the limit, the clients that were not seen for longest are removed', () => {
  const clients = Array.from({ length: MAX_NETWORK_CLIENTS }, (_, nth) => ({
    ...merging().see([at('10.0.0.1', { lastSeen: now + nth })])[0]!,
    id: `old${nth}`,
    addresses: [{ address: `10.1.${nth >> 8}.${nth & 0xff}`, lastSeen: now }],
  }));
  const { changed, removed } = mergeClients({
    account,
    clients,
    sightings: [at('192.168.1.5', { lastSeen: now + 1e6 }), at('192.168.1.6', { lastSeen: now + 1e6 })],
    hosts: nothingKnown,
    newId: (() => {
      let id = 0;
      return () => `new${id++}`;
    })(),
  });
  assert.deepEqual(
    changed.map(({ id }) => id),
    ['new0', 'new1'],
  );
  assert.deepEqual(removed, ['old0', 'old1']);
});
