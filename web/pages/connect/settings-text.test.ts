import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOffered, plainServer, proofCommand, settingsOf } from './settings-text.ts';

const device = {
  id: 'abcd1234',
  dns_addresses: {
    dns_over_https_url: 'https://dns.example.net/dns-query/abcd1234',
    dns_over_tls_url: 'tls://abcd1234.d.dns.example.net',
    ip_addresses: [{ ip_address: '192.0.2.53', type: 'V4' as const }],
  },
};

const server = { address: '192.0.2.53', port: 53 };

test('settings contain the addresses of the device', () => {
  const { resolved, networkManager, windows, dnsmasq } = settingsOf(device, server);
  assert.match(resolved, /^DNS=192\.0\.2\.53#abcd1234\.d\.dns\.example\.net$/m);
  assert.match(networkManager, /ipv4\.dns "192\.0\.2\.53#abcd1234\.d\.dns\.example\.net"/);
  assert.match(windows, /-DohTemplate "https:\/\/dns\.example\.net\/dns-query\/abcd1234"/);
  assert.equal(dnsmasq, 'server=192.0.2.53\nadd-cpe-id=abcd1234');
});

test('ports other than the standard ones are part of the settings', () => {
  const dns_addresses = { ...device.dns_addresses, dns_over_tls_url: 'tls://abcd1234.dns.example.net:8853' };
  const onOtherPorts = { ...device, dns_addresses };
  assert.match(
    settingsOf(onOtherPorts, { address: '2001:db8::7', port: 5300 }).resolved,
    /^DNS=\[2001:db8::7\]:8853#abcd1234\.dns\.example\.net$/m,
  );
  assert.match(settingsOf(device, { address: '192.0.2.53', port: 5300 }).dnsmasq, /^server=192\.0\.2\.53#5300$/m);
  assert.equal(proofCommand({ address: '192.0.2.53', port: 5300 }, 'x'), 'dig @192.0.2.53 -p 5300 -c CH -t TXT x');
  assert.equal(isOffered(onOtherPorts, 'dot'), true);
  assert.equal(isOffered(onOtherPorts, 'private dns'), false);
});

test('the plain address of the device precedes those of the server, and the host of the page is the last choice', () => {
  const local = [{ address: '192.168.1.2', port: 5300 }];
  assert.deepEqual(plainServer(device, local, 'weir.example'), server);
  const bare = { ...device, dns_addresses: { ...device.dns_addresses, ip_addresses: [] } };
  assert.deepEqual(plainServer(bare, local, '192.0.2.7'), local[0]);
  assert.deepEqual(plainServer(bare, [], '192.0.2.7'), { address: '192.0.2.7', port: 53 });
  assert.deepEqual(plainServer(bare, [], '[2001:db8::7]'), { address: '2001:db8::7', port: 53 });
  for (const host of ['weir.example', 'localhost', '127.0.0.1', '[::1]'])
    assert.deepEqual(plainServer(bare, [{ address: '127.0.0.1', port: 53 }], host), { address: 'ADDRESS', port: 53 });
});

test('empty addresses are not offered', () => {
  const dns_addresses = { dns_over_https_url: '', dns_over_tls_url: '', ip_addresses: [] };
  for (const protocol of ['doh', 'dot', 'private dns', 'profile'] as const) {
    assert.equal(isOffered({ id: 'abcd1234', dns_addresses }, protocol), false, protocol);
    assert.equal(isOffered(device, protocol), true, protocol);
  }
});
