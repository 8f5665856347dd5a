import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkKey } from './network-key.ts';

test('addresses of one /24 or /48 have one key', () => {
  for (const [address, key] of [
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::7', '2001:db8:1::/48'],
    ['2001:db8:2::7', '2001:db8:2::/48'],
    ['a socket', 'a socket'],
  ] as const)
    assert.equal(networkKey(address), key);
});
