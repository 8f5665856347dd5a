import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { test } from 'node:test';
import { isPrivate, localNetworkAddresses, reachableAddresses } from './own-addresses.ts';

const v4 = (address: string, internal = false) =>
  ({ address, family: 'IPv4', internal, netmask: '', mac: '', cidr: null }) as NetworkInterfaceInfo;
const v6 = (address: string, scopeid = 0) =>
  ({ address, family: 'IPv6', internal: false, netmask: '', mac: '', cidr: null, scopeid }) as NetworkInterfaceInfo;

test('addresses for clients of the local network: private, IPv4 first, without containers', () => {
  const interfaces = {
    lo: [v4('127.0.0.1', true)],
    docker0: [v4('172.17.0.1')],
    eth0: [v6('fd12::7'), v6('fe80::1', 2), v6('2001:db8::7'), v4('192.168.1.7'), v4('203.0.113.7')],
    wlan0: [v4('192.168.1.8')],
  };
  assert.deepEqual(localNetworkAddresses(interfaces), ['192.168.1.7', '192.168.1.8', 'fd12::7']);
});

test('private addresses, in any form', () => {
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', '::ffff:192.168.1.1', 'fe80::1%eth0', 'fd00::1'])
    assert.ok(isPrivate(address), address);
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1', 'host', ''])
    assert.ok(!isPrivate(address), address);
});

test('a listener on all addresses is reached at those of the local network, one on 0.0.0.0 by IPv4 only', () => {
  const both = ['192.168.1.2', 'fd00::2'];
  assert.deepEqual(reachableAddresses('::', both), both);
  assert.deepEqual(reachableAddresses('0.0.0.0', both), ['192.168.1.2']);
  assert.deepEqual(reachableAddresses('192.168.1.9', both), ['192.168.1.9']);
  assert.deepEqual(reachableAddresses('0.0.0.0', ['fd00::2']), ['127.0.0.1']);
  assert.deepEqual(reachableAddresses('::', []), ['127.0.0.1']);
});
