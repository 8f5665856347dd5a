import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddresses } from './client-addresses.ts';

const url = 'http://192.168.1.2:8080';
const own = ['192.168.1.2', 'fd00::2'];
const dnsText = 'DNS server for routers and devices of this network';

test('a resolver on all addresses is shown with those of the local network', () => {
  assert.deepEqual(clientAddresses({ url, dns: { host: '::', port: 53 } }, own), [
    [{ url }, 'web interface'],
    [{ addresses: '192.168.1.2 fd00::2', port: 53 }, dnsText],
  ]);
});

test('without IPv6 only IPv4 addresses are shown', () => {
  const [, dns] = clientAddresses({ url, dns: { host: '0.0.0.0', port: 5300 } }, own);
  assert.deepEqual(dns, [{ addresses: '192.168.1.2', port: 5300 }, dnsText]);
});

test('a configured address is shown as it is, and a machine without a network has loopback', () => {
  const [, one] = clientAddresses({ url, dns: { host: '10.0.0.1', port: 53 } }, own);
  assert.deepEqual(one, [{ addresses: '10.0.0.1', port: 53 }, dnsText]);
  const [, loopback] = clientAddresses({ url, dns: { host: '::', port: 53 } }, []);
  assert.deepEqual(loopback, [{ addresses: '127.0.0.1', port: 53 }, dnsText]);
});

test('without DNS only the web interface is shown', () => {
  assert.deepEqual(clientAddresses({ url }, own), [[{ url }, 'web interface']]);
});
