import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from './device.ts';
import {
  type DeviceQuota,
  linkDedicated,
  type NewDevice,
  type NewDeviceContext,
  newDevice,
  newSelfRegisteredDevice,
  RANDOM_BYTES_OF_DEVICE,
  RANDOM_BYTES_OF_DOH_PASSWORD,
  resetDohPassword,
  updateDevice,
  updateDeviceSettings,
} from './device-rules.ts';
import { parseHumanId } from './human-id.ts';
import { type AccountId, type DeviceId, type ProfileId, parseDeviceId } from './ids.ts';

const home = '0badcafe' as ProfileId;
const kids = '1badcafe' as ProfileId;
const quota: DeviceQuota = { used: 0, limit: 5, profiles: new Set([home, kids]) };
const context: NewDeviceContext = {
  account: 'a' as AccountId,
  random: new Uint8Array(RANDOM_BYTES_OF_DEVICE).map((_, index) => (index * 37) % 256),
  now: 7,
};
const tablet: NewDevice = { name: ' Kitchen tablet ', type: 'ANDROID', profile: home };

function made(wanted: NewDevice = tablet): Device {
  const result = newDevice(quota, wanted, context);
  assert.ok(result.ok);
  return result.value;
}

test('a new device is protected and has a password and a token of letters and digits', () => {
  const { id, dohPassword, linkToken, addressSuffix, ...rest } = made();
  assert.equal(parseDeviceId(id), id);
  assert.equal(id.length, 16);
  assert.match(addressSuffix!, /^[0-9a-f]{8}$/);
  assert.match(dohPassword, /^[A-Za-z0-9]{16}$/);
  assert.match(linkToken, /^[A-Za-z0-9]{43}$/);
  assert.deepEqual(rest, {
    account: 'a',
    profile: home,
    name: 'Kitchen tablet',
    type: 'ANDROID',
    protectionEnabled: true,
    pausedUntil: undefined,
    dohAuthOnly: false,
    humanId: undefined,
    linkedIp: undefined,
    pendingIp: undefined,
    ddnsName: undefined,
    tags: [],
    createdAt: 7,
  });
});

test('an account at its limit gets an error with the limit', () => {
  assert.deepEqual(newDevice({ ...quota, used: 5 }, tablet, context), {
    ok: false,
    error: { kind: 'limit reached', what: 'devices', limit: 5 },
  });
});

test('every error of a device is reported at once, and before the limit', () => {
  const wrong = { name: '', type: 'TOASTER' as 'MAC', profile: 'deadbeef' };
  const result = newDevice({ ...quota, used: 5 }, wrong, context);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.errors.map(({ field }) => field),
    ['name', 'device_type', 'dns_server_id'],
  );
});

test('an update changes only what is given, and moves a device to another server of the account', () => {
  const device = made();
  assert.deepEqual(updateDevice(device, {}, quota.profiles), { ok: true, value: device });
  assert.deepEqual(updateDevice(device, { name: 'New', profile: kids }, quota.profiles), {
    ok: true,
    value: { ...device, name: 'New', profile: kids },
  });
  const moved = updateDevice(device, { profile: 'ffffffff' }, quota.profiles);
  assert.ok(!moved.ok && moved.error.kind === 'invalid');
  assert.equal(moved.error.errors[0]?.field, 'dns_server_id');
});

test('settings that are absent stay', () => {
  const device = made();
  assert.deepEqual(updateDeviceSettings(device, { protectionEnabled: false }), { ...device, protectionEnabled: false });
  assert.deepEqual(updateDeviceSettings(device, { dohAuthOnly: true }), { ...device, dohAuthOnly: true });
});

test('a reset gives another password of the same form and changes nothing else', () => {
  const device = made();
  const after = resetDohPassword(device, new Uint8Array(RANDOM_BYTES_OF_DOH_PASSWORD).fill(99));
  assert.match(after.dohPassword, /^[A-Za-z0-9]{16}$/);
  assert.notEqual(after.dohPassword, device.dohPassword);
  assert.deepEqual({ ...after, dohPassword: device.dohPassword }, device);
});

test('a self-registered device is identified by its name, and counted', () => {
  const named = parseHumanId('adr-0badcafe-My-Phone')!;
  const result = newSelfRegisteredDevice(quota, named, context);
  assert.ok(result.ok);
  assert.deepEqual(
    [result.value.name, result.value.humanId, result.value.type, result.value.profile],
    ['My Phone', 'my-phone', 'ANDROID', home],
  );
  assert.deepEqual(newSelfRegisteredDevice({ ...quota, used: 5 }, named, context).ok, false);
  assert.deepEqual(newSelfRegisteredDevice(quota, { ...named, profile: 'ffffffff' as ProfileId }, context), {
    ok: false,
    error: { kind: 'not found', what: 'DNS server' },
  });
});

test('a dedicated address goes to one device, up to the limit', () => {
  const device = made();
  const vacant = { ip: '192.0.2.10', device: undefined };
  const ofOther = { ip: '192.0.2.10', device: 'ffffffff' as DeviceId };
  assert.deepEqual(linkDedicated(device, vacant, { linked: 0, limit: 1 }), {
    ok: true,
    value: { ip: '192.0.2.10', device: device.id },
  });
  assert.deepEqual(linkDedicated(device, vacant, { linked: 1, limit: 1 }), {
    ok: false,
    error: { kind: 'limit reached', what: 'dedicatedIpv4', limit: 1 },
  });
  assert.equal(linkDedicated(device, { ...vacant, device: device.id }, { linked: 1, limit: 1 }).ok, true);
  const taken = linkDedicated(device, ofOther, { linked: 0, limit: 1 });
  assert.equal(!taken.ok && taken.error.kind, 'invalid');
  const unknown = linkDedicated(device, undefined, { linked: 0, limit: 1 });
  assert.equal(!unknown.ok && unknown.error.kind, 'not found');
});
