import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from './device.ts';
import type { AccountId, DeviceId, ProfileId } from './ids.ts';
import {
  type Claim,
  followName,
  linkClient,
  linkName,
  linkTyped,
  loseAddress,
  privateRule,
  RANDOM_BYTES_OF_LINK_TOKEN,
  unlinkAddress,
} from './linked-address.ts';

const device: Device = {
  id: '1a2b3c4d' as DeviceId,
  account: 'anna' as AccountId,
  profile: '0badcafe' as ProfileId,
  name: 'Router',
  type: 'ROUTER',
  protectionEnabled: true,
  pausedUntil: undefined,
  dohAuthOnly: false,
  dohPassword: 'secret',
  humanId: undefined,
  linkedIp: undefined,
  pendingIp: undefined,
  ddnsName: undefined,
  tags: [],
  linkToken: 'token',
  addressSuffix: undefined,
  createdAt: 7,
};
const sibling = { id: 'ffffffff' as DeviceId, account: device.account };
const otherAccount = { id: 'ffffffff' as DeviceId, account: 'ben' as AccountId };

const claim = (ip: string, changes: Partial<Claim> = {}): Claim => ({
  ip,
  isProven: false,
  takenBy: undefined,
  privateRule: 'refused',
  ...changes,
});
const shown = (result: ReturnType<typeof linkTyped>) =>
  result.ok ? [result.value.linkedIp, result.value.pendingIp, result.value.ddnsName] : result.error;

test('an address is stored in one spelling, and only one of a host', () => {
  const pending = (text: string) => {
    const result = linkTyped(device, claim(text));
    return result.ok ? result.value.pendingIp : undefined;
  };
  assert.equal(pending('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(pending('2001:DB8::7'), '2001:db8::7');
  for (const text of ['0.0.0.0', '255.255.255.255', '224.0.0.1', '::', 'ff02::1', 'host.example', ''])
    assert.equal(pending(text), undefined, text);
});

test('a typed address is pending, and the linked one stays, until a client comes from it', () => {
  const linked = { ...device, linkedIp: '192.0.2.1' };
  assert.deepEqual(shown(linkTyped(linked, claim('192.0.2.7'))), ['192.0.2.1', '192.0.2.7', undefined]);
  assert.deepEqual(shown(linkTyped(linked, claim('192.0.2.7', { isProven: true }))), [
    '192.0.2.7',
    undefined,
    undefined,
  ]);
  const pending = { ...linked, pendingIp: '192.0.2.7' };
  assert.deepEqual(shown(linkClient(pending, claim('192.0.2.7'))), ['192.0.2.7', undefined, undefined]);
  assert.deepEqual(shown(linkClient(pending, claim('192.0.2.1'))), ['192.0.2.1', '192.0.2.7', undefined]);
});

test('a claim has the same outcome whether or not another account has the address', () => {
  for (const rule of ['refused', 'after proof'] as const)
    for (const ip of ['192.0.2.7', '10.0.0.7', 'host'])
      for (const link of [linkTyped, linkClient])
        assert.deepEqual(
          link(device, claim(ip, { takenBy: otherAccount, privateRule: rule })),
          link(device, claim(ip, { privateRule: rule })),
        );
});

test('an address moves at once inside of an account, which has proven it', () => {
  const moved = linkTyped(device, claim('192.0.2.7', { takenBy: sibling }));
  assert.deepEqual(shown(moved), ['192.0.2.7', undefined, undefined]);
});

test('private addresses are linked at once, after proof, or not', () => {
  assert.equal(privateRule('auto', 1), 'at once');
  assert.equal(privateRule('auto', 2), 'refused');
  assert.equal(privateRule('allow', 2), 'after proof');
  assert.equal(privateRule('refuse', 1), 'refused');
  for (const ip of ['10.0.0.7', '127.0.0.7', '169.254.1.1', '100.64.0.1', '192.168.1.7', '::1', 'fe80::1', 'fd00::7']) {
    assert.deepEqual(shown(linkTyped(device, claim(ip, { privateRule: 'at once' }))), [ip, undefined, undefined]);
    assert.deepEqual(shown(linkTyped(device, claim(ip, { privateRule: 'after proof' }))), [undefined, ip, undefined]);
    for (const link of [linkTyped, linkClient]) assert.equal(link(device, claim(ip, { isProven: true })).ok, false, ip);
  }
  assert.deepEqual(shown(linkTyped(device, claim('192.0.2.7', { privateRule: 'at once' }))), [
    undefined,
    '192.0.2.7',
    undefined,
  ]);
});

test('an address replaces a name; a client at the address of the name proves it', () => {
  const named = { ...device, ddnsName: 'home.example.org', pendingIp: '192.0.2.7' };
  assert.deepEqual(shown(linkTyped(named, claim('192.0.2.7'))), [undefined, '192.0.2.7', undefined]);
  assert.deepEqual(shown(linkClient(named, claim('192.0.2.7'))), ['192.0.2.7', undefined, 'home.example.org']);
  assert.deepEqual(shown(linkClient(named, claim('192.0.2.8'))), ['192.0.2.8', undefined, undefined]);
});

test('the address of a DDNS name becomes pending, if there is one', () => {
  const none = linkName({ ...device, linkedIp: '192.0.2.1' }, ' Home.Example.org. ', undefined);
  assert.deepEqual(shown(none), [undefined, undefined, 'home.example.org']);
  const found = linkName(device, 'home.example.org', claim('192.0.2.7', { takenBy: otherAccount }));
  assert.deepEqual(shown(found), [undefined, '192.0.2.7', 'home.example.org']);
  const proven = linkName(device, 'home.example.org', claim('192.0.2.7', { isProven: true }));
  assert.deepEqual(shown(proven), ['192.0.2.7', undefined, 'home.example.org']);
  for (const text of ['', 'localhost', '192.0.2.7', 'a b.example', 'x'.repeat(300)])
    assert.equal(linkName(device, text, undefined).ok, false, text);
});

test('a name that leads elsewhere ends the link, and the new address has to be proven', () => {
  const named = { ...device, ddnsName: 'home.example.org', linkedIp: '192.0.2.1' };
  for (const takenBy of [undefined, named, sibling, otherAccount]) {
    const after = followName(named, claim('192.0.2.7', { takenBy }));
    assert.deepEqual([after.linkedIp, after.pendingIp], [undefined, '192.0.2.7']);
  }
  assert.deepEqual(followName(named, claim('192.0.2.1')), { ...named, pendingIp: undefined });
});

test('a device whose address another one proved has to prove it again, or leaves it to its own account', () => {
  const linked = { ...device, linkedIp: '192.0.2.7', ddnsName: 'home.example.org' };
  const displaced = loseAddress(linked, otherAccount);
  assert.deepEqual(
    [displaced.linkedIp, displaced.pendingIp, displaced.ddnsName],
    [undefined, '192.0.2.7', 'home.example.org'],
  );
  const moved = loseAddress(linked, sibling);
  assert.deepEqual([moved.linkedIp, moved.pendingIp, moved.ddnsName], [undefined, undefined, undefined]);
});

test('unlinking an address ends the link as well', () => {
  const random = new Uint8Array(RANDOM_BYTES_OF_LINK_TOKEN).map((_, index) => (index * 37) % 256);
  const before = { ...device, linkedIp: '192.0.2.7', pendingIp: '192.0.2.8' };
  const { linkedIp, pendingIp, ddnsName, linkToken } = unlinkAddress(before, random);
  assert.deepEqual([linkedIp, pendingIp, ddnsName], [undefined, undefined, undefined]);
  assert.match(linkToken, /^[A-Za-z0-9]{43}$/);
});
