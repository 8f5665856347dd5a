import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from './device.ts';
import type { AccountId, DeviceId, ProfileId } from './ids.ts';
import { followName, linkAddress, linkName, RANDOM_BYTES_OF_LINK_TOKEN, unlinkAddress } from './linked-address.ts';

const device: Device = {
  id: '1a2b3c4d' as DeviceId,
  account: 'anna' as AccountId,
  profile: '0badcafe' as ProfileId,
  name: 'Router',
  type: 'ROUTER',
  protectionEnabled: true,
  dohAuthOnly: false,
  dohPassword: 'secret',
  humanId: undefined,
  linkedIp: undefined,
  ddnsName: undefined,
  linkToken: 'token',
  createdAt: 7,
};
const sibling = { id: 'ffffffff' as DeviceId, account: device.account };
const stranger = { id: 'ffffffff' as DeviceId, account: 'ben' as AccountId };

test('an address is linked in one spelling, and only one of a host', () => {
  const linked = (text: string) => {
    const result = linkAddress(device, text, undefined);
    return result.ok ? result.value.linkedIp : undefined;
  };
  assert.equal(linked('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(linked('2001:DB8::7'), '2001:db8::7');
  for (const text of ['0.0.0.0', '255.255.255.255', '224.0.0.1', '::', 'ff02::1', 'host.example', ''])
    assert.equal(linked(text), undefined, text);
});

test('an address moves inside of an account, and never out of another', () => {
  assert.equal(linkAddress(device, '192.0.2.7', device).ok, true);
  assert.equal(linkAddress(device, '192.0.2.7', sibling).ok, true);
  assert.equal(linkAddress(device, '192.0.2.7', stranger).ok, false);
});

test('an address that is set is no longer looked up', () => {
  const linked = linkAddress({ ...device, ddnsName: 'home.example.org' }, '192.0.2.7', undefined);
  assert.ok(linked.ok);
  assert.deepEqual([linked.value.linkedIp, linked.value.ddnsName], ['192.0.2.7', undefined]);
});

test('a name brings the address behind it, or none while there is none', () => {
  const named = linkName({ ...device, linkedIp: '192.0.2.1' }, ' Home.Example.org. ', undefined);
  assert.ok(named.ok);
  assert.deepEqual([named.value.ddnsName, named.value.linkedIp], ['home.example.org', undefined]);
  const found = linkName(device, 'home.example.org', { ip: '192.0.2.7', takenBy: sibling });
  assert.ok(found.ok);
  assert.deepEqual([found.value.ddnsName, found.value.linkedIp], ['home.example.org', '192.0.2.7']);
  assert.equal(linkName(device, 'home.example.org', { ip: '192.0.2.7', takenBy: stranger }).ok, false);
  for (const text of ['', 'localhost', '192.0.2.7', 'a b.example', 'x'.repeat(300)])
    assert.equal(linkName(device, text, undefined).ok, false, text);
});

test('a name that leads elsewhere takes the device along, but takes no address from another', () => {
  const named = { ...device, ddnsName: 'home.example.org', linkedIp: '192.0.2.1' };
  const follow = (takenBy: typeof sibling | undefined) => followName(named, { ip: '192.0.2.7', takenBy }).linkedIp;
  assert.equal(follow(undefined), '192.0.2.7');
  assert.equal(follow(named), '192.0.2.7');
  assert.equal(follow(sibling), undefined);
  assert.equal(follow(stranger), undefined);
});

test('who unlinks an address makes the link void as well', () => {
  const random = new Uint8Array(RANDOM_BYTES_OF_LINK_TOKEN).map((_, index) => (index * 37) % 256);
  const { linkedIp, ddnsName, linkToken } = unlinkAddress({ ...device, linkedIp: '192.0.2.7' }, random);
  assert.deepEqual([linkedIp, ddnsName], [undefined, undefined]);
  assert.match(linkToken, /^[A-Za-z0-9]{43}$/);
});
