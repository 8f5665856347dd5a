import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { test } from 'node:test';
import { linkOf } from './local-link.ts';

const own = (address: string, prefix: number, internal = false) =>
  ({ address, cidr: `${address}/${prefix}`, internal }) as NetworkInterfaceInfo;
const interfaces = {
  lo: [own('127.0.0.1', 8, true)],
  eth0: [own('192.168.1.2', 24), own('fd00::2', 64)],
  wg0: [own('10.8.0.1', 16)],
};

test('an address belongs to the interface whose network contains it', () => {
  assert.deepEqual(linkOf('192.168.1.7', interfaces), { name: 'eth0', address: '192.168.1.2' });
  assert.deepEqual(linkOf('fd00::7', interfaces), { name: 'eth0', address: 'fd00::2' });
  assert.deepEqual(linkOf('10.8.3.4', interfaces), { name: 'wg0', address: '10.8.0.1' });
});

test('addresses of this machine and of other networks have no link', () => {
  for (const address of ['127.0.0.1', '192.168.1.2', '192.168.2.7', 'fd01::7', 'nonsense'])
    assert.equal(linkOf(address, interfaces), undefined, address);
});
