import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slow } from '../../../test/support/kit/slow.ts';
import { addressBytes } from './address-key.ts';
import { networkSet } from './networks.ts';

const ip = (text: string): Uint8Array => addressBytes(text)!;

const table: readonly (readonly [entries: string, address: string, isIn: boolean])[] = [
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.0/8', '9.255.255.255', false],
  ['10.1.2.3/8', '10.200.0.1', true],
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['0.0.0.0/0', '255.255.255.255', true],
  ['0.0.0.0/0', '::1', false],
  ['::/0', '192.0.2.1', false],
  ['::/0', '::1', true],
  ['::/0', 'ffff::', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::', false],
  ['2001:db8::/127', '2001:db8::1', true],
  ['2001:db8::/127', '2001:db8::2', false],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '11.1.2.3', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:0:0/96', '8.8.8.8', true],
  // Wider than the mapped range: an IPv6 network.
  ['::ffff:0:0/80', '8.8.8.8', false],
  ['10.0.0.0/33', '10.0.0.1', false],
  ['10.0.0.0/', '10.0.0.1', false],
  ['AS15169', '10.0.0.1', false],
  ['', '0.0.0.0', false],
  ['10.0.0.0/8 10.1.0.0/16 10.1.2.0/24', '10.9.9.9', true],
  ['10.1.2.0/24 10.1.0.0/16 10.1.2.3', '10.1.200.1', true],
];
for (const [entries, address, isIn] of table) {
  test(`${address} is ${isIn ? '' : 'not '}in [${entries}]`, () => {
    assert.equal(networkSet(entries.split(' '))(ip(address)), isIn);
  });
}

test('an IPv4 address in IPv6 form is the same address', () => {
  const mapped = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 2, 3);
  assert.equal(networkSet(['10.0.0.0/8'])(mapped), true);
  assert.equal(networkSet(['::/0'])(mapped), false);
});

test('a set of networks contains exactly the addresses of its members', () => {
  const bits = fc.nat(0xffff_ffff);
  // Few different prefixes, so that networks contain each other and match addresses.
  const byte = fc.constantFrom(0, 1, 127, 128, 254, 255);
  const address = fc.oneof(fc.tuple(byte, byte, byte, byte), fc.tuple(...Array.from({ length: 16 }, () => byte)));
  const network = fc.tuple(address, bits).map(([bytes, seed]) => ({ bytes, length: seed % (bytes.length * 8 + 1) }));
  const textOf = (bytes: readonly number[]): string =>
    bytes.length === 4
      ? bytes.join('.')
      : Buffer.from(bytes)
          .toString('hex')
          .replaceAll(/(.{4})(?!$)/g, '$1:');
  const plainly = (a: readonly number[], b: readonly number[], length: number): boolean =>
    a.length === b.length && bitsOf(a).slice(0, length) === bitsOf(b).slice(0, length);
  fc.assert(
    fc.property(fc.array(network, { maxLength: 30 }), address, (networks, asked) => {
      const isIn = networkSet(networks.map(({ bytes, length }) => `${textOf(bytes)}/${length}`));
      const expected = networks.some(({ bytes, length }) => plainly(asked, bytes, length));
      assert.equal(isIn(Uint8Array.from(asked)), expected);
    }),
    { numRuns: 3000 },
  );
});

const bitsOf = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');

test('a hundred thousand networks are searched as fast as one', slow, () => {
  const entries = Array.from({ length: 100_000 }, (_, i) => `${i >> 16}.${(i >> 8) & 255}.${i & 255}.0/25`);
  const isIn = networkSet(entries);
  assert.equal(isIn(ip('1.0.7.127')), true);
  assert.equal(isIn(ip('1.0.7.128')), false);
  const before = process.cpuUsage();
  const address = ip('1.0.7.128');
  for (let i = 0; i < 100_000; i++) isIn(address);
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});
