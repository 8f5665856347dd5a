import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contains, formatNetwork, parseNetwork } from './ip-network.ts';

const canonical = (text: string): string | undefined => {
  const network = parseNetwork(text);
  return network && formatNetwork(network);
};

for (const [text, expected] of [
  ['192.168.0.0/16', '192.168.0.0/16'],
  ['192.168.1.77/24', '192.168.1.0/24'],
  ['10.255.255.255/9', '10.128.0.0/9'],
  ['192.0.2.1', '192.0.2.1/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['fd12:3456::1/8', 'fd00::/8'],
  ['FE80::1/10', 'fe80::/10'],
  ['::1', '::1/128'],
  ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  [' 10.0.0.0/8 ', '10.0.0.0/8'],
  ['10.0.0.0/33', undefined],
  ['10.0.0.0/08', undefined],
  ['10.0.0.0/8/8', undefined],
  ['10.0.0/8', undefined],
  ['::/129', undefined],
  ['::ffff:192.0.2.7/95', undefined],
  ['', undefined],
] as const)
  test(`network ${JSON.stringify(text)}: ${expected ?? 'invalid'}`, () => assert.equal(canonical(text), expected));

test('a network contains itself and its parts', () => {
  const isIn = (inner: string, outer: string): boolean => contains(parseNetwork(outer)!, parseNetwork(inner)!);
  assert.ok(isIn('192.168.1.0/24', '192.168.0.0/16'));
  assert.ok(isIn('192.168.0.0/16', '192.168.0.0/16'));
  assert.ok(!isIn('192.168.0.0/15', '192.168.0.0/16'));
  assert.ok(!isIn('192.169.0.0/24', '192.168.0.0/16'));
  assert.ok(isIn('fe80::1', 'fe80::/10'));
  assert.ok(!isIn('10.0.0.1', '::/0'));
});
