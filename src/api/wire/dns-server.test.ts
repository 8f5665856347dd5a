import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileNumber } from '../../../test/support/store/accounts.ts';
import { defaultSettings } from '../../domain/default-settings.ts';
import { dnsServerToWire } from './dns-server.ts';
import { settingsToWire } from './settings-mapping.ts';

test('a DNS server has its devices, their number and its settings', () => {
  const settings = { ...defaultSettings(), blockTtlSeconds: 77 };
  const server = profileNumber(1, 'anna', { isDefault: true, name: 'Children', settings });
  assert.deepEqual(dnsServerToWire(server, ['0000000a', '0000000b']), {
    default: true,
    device_ids: ['0000000a', '0000000b'],
    devices_count: 2,
    id: '00000001',
    name: 'Children',
    settings: settingsToWire(settings),
  });
});

test('a DNS server without devices has an empty list and the number 0', () => {
  const { device_ids, devices_count, default: isDefault } = dnsServerToWire(profileNumber(1, 'anna'), []);
  assert.deepEqual({ device_ids, devices_count, isDefault }, { device_ids: [], devices_count: 0, isDefault: false });
});
