import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatIp, parseIp, parseIpOf, unmapped } from './ip-address.ts';

const spelling = (text: string): string | undefined => {
  const ip = parseIp(text);
  return ip && formatIp(ip);
};

const spellings: readonly (readonly [given: string, kept: string | undefined])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['255.255.255.255', '255.255.255.255'],
  ['192.0.2.256', undefined],
  ['192.0.2.01', undefined],
  ['192.0.2', undefined],
  ['192.0.2.1.5', undefined],
  ['0x7f.0.0.1', undefined],
  ['::', '::'],
  ['::1', '::1'],
  ['2001:DB8::0001', '2001:db8::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::ffff:192.0.2.1', '::ffff:c000:201'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4:5:6:c000:201'],
  ['1:2:3:4:5:6:7:8::', undefined],
  ['1::2::3', undefined],
  [':::', undefined],
  ['1:2:3:4:5:6:7', undefined],
  ['192.0.2.1::', undefined],
  ['12345::', undefined],
  ['fe80::1%eth0', undefined],
  ['[::1]', undefined],
  ['', undefined],
];
for (const [given, kept] of spellings) {
  test(`the address ${JSON.stringify(given)} is ${kept ?? 'refused'}`, () => {
    assert.equal(spelling(given), kept);
  });
}

test('the accepted addresses are those that node accepts, and their text reads back as the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...Array.from(':.0123af')), maxLength: 20 })),
      (text) => {
        const ip = parseIp(text);
        assert.equal(ip?.family, { 0: undefined, 4: 'V4', 6: 'V6' }[isIP(text)], text);
        if (ip) assert.deepEqual(parseIp(formatIp(ip)), ip);
      },
    ),
    { numRuns: 2000 },
  );
});

test('the family of an address is known', () => {
  assert.equal(parseIpOf('V6', '192.0.2.1'), undefined);
  assert.equal(parseIpOf('V4', '192.0.2.1')?.family, 'V4');
});

test('an IPv4-mapped IPv6 address is converted to IPv4', () => {
  assert.equal(formatIp(unmapped(parseIp('::ffff:192.0.2.1')!)), '192.0.2.1');
  assert.equal(formatIp(unmapped(parseIp('2001:db8::1')!)), '2001:db8::1');
});
