import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reverseName } from '../../domain/reverse-name.ts';
import { formatIp, parseIp } from '../../kit/ip-address.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';
import { compileDns64, embedAddress, translatedReverseName } from './dns64.ts';

// The table of RFC 6052, 2.4.
const embedded: readonly (readonly [prefix: string, address: string])[] = [
  ['2001:db8::/32', '2001:db8:c000:221::'],
  ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
  ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
  ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
  ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100:0'],
  ['2001:db8:122:344::/96', '2001:db8:122:344::c000:221'],
  ['64:ff9b::/96', '64:ff9b::c000:221'],
];

for (const [text, expected] of embedded)
  test(`192.0.2.33 in ${text}, and back for PTR`, () => {
    const prefix = compileDns64(text)!;
    const bytes = embedAddress(prefix, Uint8Array.of(192, 0, 2, 33));
    assert.deepEqual([...bytes], parseIp(expected)!.bytes, formatIp({ family: 'V6', bytes: [...bytes] }));
    const reverse = wireName(reverseName({ family: 'V6', bytes: [...bytes] }))!;
    assert.equal(nameText(translatedReverseName(prefix, reverse)!, 0), '33.2.0.192.in-addr.arpa');
    assert.equal(prefix.isWellKnown, text.startsWith('64:'));
  });

test('names outside the prefix or shorter than an address are not translated', () => {
  const prefix = compileDns64('64:ff9b::/96')!;
  for (const name of [reverseName(parseIp('2001:db8::1')!), 'b.9.f.f.4.6.0.0.ip6.arpa', `x.${'0.'.repeat(31)}ip6.arpa`])
    assert.equal(translatedReverseName(prefix, wireName(name)!), undefined, name);
});
