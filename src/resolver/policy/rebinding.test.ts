import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseIp } from '../../kit/ip-address.ts';
import { isPrivateAddress } from '../../kit/private-address.ts';
import { wireName } from '../../kit/wire-name.ts';
import { rebindingGuard } from './rebinding.ts';

// As received, not unmapped.
const ip = (text: string): Uint8Array => Uint8Array.from(parseIp(text)!.bytes);
const isPrivate = (text: string): boolean => {
  const bytes = ip(text);
  return isPrivateAddress(Uint8Array.of(9, ...bytes, 9), 1, bytes.length);
};

const inside = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:0:192.168.1.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::8.8.8.8',
  '2002:0a00:0001::1',
  '2002:7f00:0001::',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'feff::1',
];
const outside = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '255.255.255.255',
  '::ffff:8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9c::10.0.0.1',
  '64:ff9b:2::1',
  '2002:0808:0808::1',
  '2001:db8::1',
  '2606:4700::1111',
  'fbff::1',
  'fe00::1',
  'ff02::1',
  '0:1::1',
  '::1:0:0:1',
];

test('addresses of private networks are private, in all their forms', () => {
  assert.deepEqual(
    inside.filter((text) => !isPrivate(text)),
    [],
  );
});

test('public addresses are not private', () => {
  assert.deepEqual(outside.filter(isPrivate), []);
});

test('invalid addresses are not private', () => {
  assert.equal(isPrivateAddress(Uint8Array.of(10, 0, 0), 0, 3), false);
  assert.equal(isPrivateAddress(new Uint8Array(0), 0, 0), false);
});

const isRebinding = rebindingGuard(['home.example', 'Zen.Spamhaus.org', 'not a domain..']);
const isBlocked = (name: string, address: string): boolean => {
  const wire = wireName(name)!;
  const bytes = ip(address);
  return isRebinding(Uint8Array.of(5, 5, ...wire), { nameAt: 2, nameEnd: 2 + wire.length }, bytes, 0, bytes.length);
};

test('a public name may not have a private address', () => {
  assert.equal(isBlocked('rebind.attacker.example', '192.168.1.1'), true);
  assert.equal(isBlocked('rebind.attacker.example', '::ffff:192.168.1.1'), true);
  assert.equal(isBlocked('rebind.attacker.example', '93.184.216.34'), false);
});

test('an allowed domain and its subdomains may, in any letter case', () => {
  assert.equal(isBlocked('home.example', '192.168.1.1'), false);
  assert.equal(isBlocked('NAS.Home.Example', '192.168.1.1'), false);
  assert.equal(isBlocked('2.0.0.127.zen.spamhaus.org', '127.0.0.2'), false);
});

test('a name that only ends in the same letters may not have one', () => {
  assert.equal(isBlocked('nothome.example', '192.168.1.1'), true);
  // One label that contains the bytes of the domain.
  assert.equal(isBlocked('\\004home\\007example', '192.168.1.1'), true);
  assert.equal(isBlocked('x\\004home.example', '192.168.1.1'), true);
});
