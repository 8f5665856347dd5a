import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from './address-key.ts';
import { createHostTable } from './host-table.ts';

const ip = (text: string): Uint8Array => addressBytes(text)!;
const [v4, v6] = [ip('192.168.1.20'), ip('fd00::20')];
const mac = '02:00:00:00:00:01';

test('a host has its MAC address and names in one spelling, and the first label of each name', () => {
  const table = createHostTable([
    { address: '192.168.1.20', mac: '02-00-00-00-00-01', names: ['TV.lan.', 'tv.local', ''] },
    { address: 'not an address', names: ['x'] },
  ]);
  assert.deepEqual(table.ofAddress(v4), { mac, addresses: [v4], names: ['tv.lan', 'tv', 'tv.local'] });
  assert.deepEqual(table.ofAddress(ip('::ffff:192.168.1.20')).mac, mac);
  assert.deepEqual(table.addresses(), [v4]);
});

test('all addresses and names of a MAC address belong to its client', () => {
  const table = createHostTable([
    { address: '192.168.1.20', mac, names: ['tv'] },
    { address: 'fd00::20', mac, names: ['tv', 'telly'] },
  ]);
  assert.deepEqual(table.ofMac(mac), { mac, addresses: [v4, v6], names: ['tv', 'telly'] });
});

test('a host that is not known has only the property that was given', () => {
  const table = createHostTable();
  assert.deepEqual(table.ofAddress(v4), { mac: undefined, addresses: [v4], names: [] });
  assert.deepEqual(table.ofMac(mac), { mac, addresses: [], names: [] });
});
