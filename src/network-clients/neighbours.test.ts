import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArpTable, parseIpNeighbours } from './neighbours.ts';

test('the ARP table gives the MAC addresses of complete entries', () => {
  const table = `IP address       HW type     Flags       HW address            Mask     Device
192.168.1.1      0x1         0x2         b8:27:eb:01:02:03     *        eth0
192.168.1.7      0x1         0x0         00:00:00:00:00:00     *        eth0
192.168.1.8      0x1         0x0         b8:27:eb:01:02:04     *        eth0
192.168.1.9      0x1         0x6         DA:A1:19:00:00:01     *        wlan0
`;
  assert.deepEqual(parseArpTable(table), [
    { address: '192.168.1.1', mac: 'b8:27:eb:01:02:03' },
    { address: '192.168.1.9', mac: 'da:a1:19:00:00:01' },
  ]);
  assert.deepEqual(parseArpTable(''), []);
});

test('entries of ip neigh without a MAC address are left out', () => {
  const output = `fe80::1 dev eth0 lladdr b8:27:eb:01:02:03 router REACHABLE
fd00:0:0:0::5 dev eth0 lladdr b8:27:eb:01:02:05 STALE
192.168.1.1 dev eth0 lladdr b8:27:eb:01:02:03 ref 1 used 0/0/0 probes 1 DELAY
fd00::6 dev eth0 FAILED
fd00::7 dev eth0 lladdr b8:27:eb:01:02:07 FAILED
fd00::8 dev eth0 INCOMPLETE
10.8.0.2 dev tun0 lladdr 0.0.0.0 NOARP
nonsense
`;
  assert.deepEqual(parseIpNeighbours(output), [
    { address: 'fe80::1', mac: 'b8:27:eb:01:02:03' },
    { address: 'fd00::5', mac: 'b8:27:eb:01:02:05' },
    { address: '192.168.1.1', mac: 'b8:27:eb:01:02:03' },
  ]);
});
