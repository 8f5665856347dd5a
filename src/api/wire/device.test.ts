import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceNumber, profileNumber } from '../../../test/support/store/accounts.ts';
import type { DnsAddresses } from '../../domain/dns-addresses.ts';
import {
  dedicatedToWire,
  deviceSettingsFromWire,
  deviceSettingsToWire,
  deviceToWire,
  deviceUpdateFromWire,
  newDeviceFromWire,
} from './device.ts';

const device = deviceNumber(1, profileNumber(2, 'anna'), { dohAuthOnly: true, protectionEnabled: false });
const addresses: DnsAddresses = {
  dnsOverHttpsUrl: 'doh',
  dnsOverHttpsWithAuthUrl: undefined,
  dnsOverTlsUrl: 'dot',
  dnsOverQuicUrl: 'doq',
  adguardDnsOverHttpsUrl: 'app doh',
  adguardDnsOverHttpsWithAuthUrl: undefined,
  adguardDnsOverTlsUrl: 'app dot',
  adguardDnsOverQuicUrl: 'app doq',
  adguardVpnDnsOverHttpsUrl: 'vpn doh',
  adguardVpnDnsOverHttpsWithAuthUrl: undefined,
  adguardVpnDnsOverTlsUrl: 'vpn dot',
  adguardVpnDnsOverQuicUrl: 'vpn doq',
  ipAddresses: [],
};
const dns_addresses = {
  adguard_dns_over_https_url: 'app doh',
  adguard_dns_over_quic_url: 'app doq',
  adguard_dns_over_tls_url: 'app dot',
  adguard_vpn_dns_over_https_url: 'vpn doh',
  adguard_vpn_dns_over_quic_url: 'vpn doq',
  adguard_vpn_dns_over_tls_url: 'vpn dot',
  dns_over_https_url: 'doh',
  dns_over_quic_url: 'doq',
  dns_over_tls_url: 'dot',
  ip_addresses: [],
};

test('a device has its settings and addresses; without a password it has no URL with authentication', () => {
  assert.deepEqual(deviceToWire(device, addresses), {
    device_type: 'ANDROID',
    dns_addresses,
    dns_server_id: '00000002',
    id: '00000001',
    name: 'Phone 1',
    settings: { detect_doh_auth_only: true, protection_enabled: false },
  });
});

test('URLs with authentication and plain addresses are shown if there are any', () => {
  const shown = deviceToWire(device, {
    ...addresses,
    dnsOverHttpsWithAuthUrl: 'doh with login',
    adguardDnsOverHttpsWithAuthUrl: 'app doh with login',
    adguardVpnDnsOverHttpsWithAuthUrl: '',
    ipAddresses: [
      { ipAddress: '192.0.2.53', type: 'V4' },
      { ipAddress: '2001:db8::1', type: 'V6' },
    ],
  });
  assert.deepEqual(shown.dns_addresses, {
    ...dns_addresses,
    dns_over_https_with_auth_url: 'doh with login',
    adguard_dns_over_https_with_auth_url: 'app doh with login',
    adguard_vpn_dns_over_https_with_auth_url: '',
    ip_addresses: [
      { ip_address: '192.0.2.53', type: 'V4' },
      { ip_address: '2001:db8::1', type: 'V6' },
    ],
  });
});

test('each switch of the settings has its name, in both directions', () => {
  const opposite = { ...device, dohAuthOnly: false, protectionEnabled: true };
  assert.deepEqual(deviceSettingsToWire(opposite), { detect_doh_auth_only: false, protection_enabled: true });
  assert.deepEqual(deviceSettingsFromWire({ detect_doh_auth_only: false, protection_enabled: true }), {
    dohAuthOnly: false,
    protectionEnabled: true,
  });
});

test('members that an update does not have stay undefined', () => {
  assert.deepEqual(deviceSettingsFromWire({}), { dohAuthOnly: undefined, protectionEnabled: undefined });
  assert.deepEqual(deviceUpdateFromWire({}), { name: undefined, type: undefined, profile: undefined });
});

test('a new device and an update have name, type and DNS server', () => {
  const wire = { name: 'TV', device_type: 'SMART_TV', dns_server_id: '00000002' } as const;
  const own = { name: 'TV', type: 'SMART_TV', profile: '00000002' };
  assert.deepEqual(newDeviceFromWire(wire), own);
  assert.deepEqual(deviceUpdateFromWire(wire), own);
});

test('a dedicated address that is not linked has no device', () => {
  assert.deepEqual(dedicatedToWire({ ip: '192.0.2.10', device: device.id }), {
    ip: '192.0.2.10',
    device_id: '00000001',
  });
  assert.deepEqual(dedicatedToWire({ ip: '192.0.2.10', device: undefined }), { ip: '192.0.2.10' });
});
