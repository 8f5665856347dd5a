import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostTable } from './host-table.ts';

const none = { neighbours: [], leases: [], hosts: [], ptr: [], mdns: [] };
const laptop = 'b8:27:eb:00:00:01';
const repeater = 'b8:27:eb:00:00:ff';

test('an address has its MAC address and the names of each source', () => {
  const table = hostTable({
    neighbours: [{ address: '192.168.1.5', mac: laptop }],
    leases: [{ address: '192.168.1.5', mac: undefined, name: 'laptop' }],
    hosts: [{ address: '192.168.1.5', names: ['desk', 'desk.lan'] }],
    ptr: [{ address: '192.168.1.5', names: ['laptop.lan'] }],
    mdns: [{ address: '192.168.1.6', names: [] }],
  });
  assert.deepEqual(table.of('192.168.1.5'), {
    address: '192.168.1.5',
    mac: laptop,
    names: { lease: ['laptop'], hosts: ['desk', 'desk.lan'], ptr: ['laptop.lan'] },
  });
  assert.deepEqual(table.of('192.168.1.6'), { address: '192.168.1.6', mac: undefined, names: {} });
  assert.equal(table.of('192.168.1.7'), undefined);
});

test('a MAC address has all its addresses', () => {
  const neighbours = ['192.168.1.5', 'fd00::5', 'fe80::5'].map((address) => ({ address, mac: laptop }));
  const table = hostTable({ ...none, neighbours });
  assert.deepEqual(
    table.withMac(laptop).map(({ address }) => address),
    ['192.168.1.5', 'fd00::5', 'fe80::5'],
  );
  assert.deepEqual(table.withMac(repeater), []);
});

test('the MAC address of a repeater does not identify the hosts behind it, their leases do', () => {
  const addresses = [1, 2, 3, 4, 5].map((number) => `192.168.1.${number}`);
  const neighbours = addresses.map((address) => ({ address, mac: repeater }));
  const leases = [{ address: '192.168.1.2', mac: laptop, name: undefined }];
  const table = hostTable({ ...none, neighbours, leases });
  assert.equal(table.of('192.168.1.1'), undefined);
  assert.equal(table.of('192.168.1.2')?.mac, laptop);
  assert.equal(hostTable({ ...none, neighbours: neighbours.slice(1) }).of('192.168.1.3')?.mac, repeater);
});

test('an address has at most four names of a source', () => {
  const hosts = ['a', 'b', 'a', 'c', 'd', 'e'].map((name) => ({ address: '192.168.1.5', names: [name] }));
  assert.deepEqual(hostTable({ ...none, hosts }).of('192.168.1.5')?.names, { hosts: ['a', 'b', 'c', 'd'] });
});
