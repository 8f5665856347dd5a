import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DnsHosts, dnsAddresses, ipv6OfDevice } from './dns-addresses.ts';
import type { DeviceId } from './ids.ts';

const id = '1a2b3c4d' as DeviceId;
const hosts: DnsHosts = {
  dohHost: 'd.dns.example',
  dotDomain: 'd.dns.example',
  serverName: 'My DNS',
  plainIpv4: ['192.0.2.53'],
  plainIpv6: ['2001:db8::53'],
};

test('a device is reached in every way that its programs can add by themselves', () => {
  const dedicated = { ipv4: [], ipv6: ['2001:db8::1a2b:3c4d'] };
  assert.deepEqual(dnsAddresses({ id, dohPassword: 'Ab3dEf7h' }, hosts, dedicated), {
    dnsOverHttpsUrl: 'https://d.dns.example/dns-query/1a2b3c4d',
    dnsOverHttpsWithAuthUrl: 'https://1a2b3c4d:Ab3dEf7h@d.dns.example/dns-query',
    dnsOverTlsUrl: 'tls://1a2b3c4d.d.dns.example',
    dnsOverQuicUrl: '',
    adguardDnsOverHttpsUrl:
      'adguard:add_dns_server?address=https%3A%2F%2Fd.dns.example%2Fdns-query%2F1a2b3c4d%26name%3DMy%20DNS',
    adguardDnsOverHttpsWithAuthUrl:
      'adguard:add_dns_server?address=https%3A%2F%2F1a2b3c4d:Ab3dEf7h@d.dns.example%2Fdns-query%26name%3DMy%20DNS',
    adguardDnsOverTlsUrl: 'adguard:add_dns_server?address=tls%3A%2F%2F1a2b3c4d.d.dns.example%26name%3DMy%20DNS',
    adguardDnsOverQuicUrl: '',
    adguardVpnDnsOverHttpsUrl:
      'adguardvpn:add_dns_server?address=https%3A%2F%2Fd.dns.example%2Fdns-query%2F1a2b3c4d%26name%3DMy%20DNS',
    adguardVpnDnsOverHttpsWithAuthUrl:
      'adguardvpn:add_dns_server?address=https%3A%2F%2F1a2b3c4d:Ab3dEf7h@d.dns.example%2Fdns-query%26name%3DMy%20DNS',
    adguardVpnDnsOverTlsUrl: 'adguardvpn:add_dns_server?address=tls%3A%2F%2F1a2b3c4d.d.dns.example%26name%3DMy%20DNS',
    adguardVpnDnsOverQuicUrl: '',
    ipAddresses: [
      { ipAddress: '192.0.2.53', type: 'V4' },
      { ipAddress: '2001:db8::1a2b:3c4d', type: 'V6' },
      { ipAddress: '2001:db8::53', type: 'V6' },
    ],
  });
});

test('without a password there is no address with a login', () => {
  const found = dnsAddresses({ id, dohPassword: '' }, hosts, { ipv4: [], ipv6: [] });
  assert.deepEqual(
    [found.dnsOverHttpsWithAuthUrl, found.adguardDnsOverHttpsWithAuthUrl, found.adguardVpnDnsOverHttpsWithAuthUrl],
    [undefined, undefined, undefined],
  );
});

test('special characters in passwords and names are escaped in addresses', () => {
  const found = dnsAddresses(
    { id, dohPassword: 'a@b/c?~' },
    { ...hosts, serverName: 'A&B #1' },
    { ipv4: [], ipv6: [] },
  );
  assert.equal(new URL(found.dnsOverHttpsWithAuthUrl!).host, 'd.dns.example');
  assert.ok(found.adguardDnsOverTlsUrl.endsWith('%26name%3DA%26B%20%231'));
});

test('ports go where hosts go', () => {
  const ported = { ...hosts, dohHost: 'dns.example:8443', dotDomain: 'dns.example:8853' };
  const found = dnsAddresses({ id, dohPassword: '' }, ported, { ipv4: [], ipv6: [] });
  assert.equal(found.dnsOverHttpsUrl, 'https://dns.example:8443/dns-query/1a2b3c4d');
  assert.equal(found.dnsOverTlsUrl, 'tls://1a2b3c4d.dns.example:8853');
});

test('dedicated addresses of a device come first', () => {
  const found = dnsAddresses({ id, dohPassword: '' }, hosts, { ipv4: ['198.51.100.9'], ipv6: [] });
  assert.deepEqual(found.ipAddresses[0], { ipAddress: '198.51.100.9', type: 'V4' });
});

test('the IPv6 address of a device ends with its suffix, or with the id of an older device', () => {
  const older = { id, addressSuffix: undefined };
  assert.equal(ipv6OfDevice('2001:db8::/96', older), '2001:db8::1a2b:3c4d');
  assert.equal(ipv6OfDevice('192.0.2.0', older), undefined);
  const newer = { id: '0123456789abcdef' as DeviceId, addressSuffix: 'fedcba98' };
  assert.equal(ipv6OfDevice('2001:db8::/96', newer), '2001:db8::fedc:ba98');
});

test('without a host that devices reach, the required members are empty', () => {
  const unreachable = { ...hosts, dohHost: undefined, dotDomain: undefined };
  const { ipAddresses, ...urls } = dnsAddresses({ id, dohPassword: 'Ab3dEf7h' }, unreachable, { ipv4: [], ipv6: [] });
  assert.deepEqual(new Set(Object.values(urls)), new Set(['', undefined]));
  assert.equal(urls.dnsOverHttpsUrl, '');
  assert.equal(urls.dnsOverHttpsWithAuthUrl, undefined);
  assert.equal(ipAddresses.length, 2);
});
