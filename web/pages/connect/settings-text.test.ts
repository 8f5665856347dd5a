import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from './settings-text.ts';

const device = {
  id: 'abcd1234',
  dns_addresses: {
    dns_over_https_url: 'https://dns.example.net/dns-query/abcd1234',
    dns_over_tls_url: 'tls://abcd1234.d.dns.example.net',
    ip_addresses: [{ ip_address: '192.0.2.53', type: 'V4' as const }],
  },
};

test('settings contain the addresses of the device', () => {
  const { resolved, networkManager, windows, dnsmasq } = settingsOf(device, 'weir.example');
  assert.match(resolved, /^DNS=192\.0\.2\.53#abcd1234\.d\.dns\.example\.net$/m);
  assert.match(networkManager, /ipv4\.dns "192\.0\.2\.53#abcd1234\.d\.dns\.example\.net"/);
  assert.match(windows, /-DohTemplate "https:\/\/dns\.example\.net\/dns-query\/abcd1234"/);
  assert.equal(dnsmasq, 'server=192.0.2.53\nadd-cpe-id=abcd1234');
});

test('without a plain address the host of the page is used, unless it is a loopback address', () => {
  const bare = { ...device, dns_addresses: { ...device.dns_addresses, ip_addresses: [] } };
  assert.match(settingsOf(bare, '192.0.2.7').dnsmasq, /^server=192\.0\.2\.7$/m);
  assert.match(settingsOf(bare, '[2001:db8::7]').dnsmasq, /^server=2001:db8::7$/m);
  for (const host of ['weir.example', 'localhost', '127.0.0.1', '[::1]'])
    assert.match(settingsOf(bare, host).dnsmasq, /^server=ADDRESS$/m, host);
});
