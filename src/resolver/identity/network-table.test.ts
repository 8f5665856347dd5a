import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from './address-key.ts';
import { networkTable } from './network-table.ts';

test('the longest prefix that contains an address decides', () => {
  const table = networkTable<string>();
  for (const network of ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.1.2.3/32', 'fd00::/8', '::1/128'])
    table.set(network, network);
  const find = (text: string): string | undefined => table.find(addressBytes(text)!);
  assert.equal(find('10.9.9.9'), '10.0.0.0/8');
  assert.equal(find('10.1.9.9'), '10.1.0.0/16');
  assert.equal(find('10.1.2.9'), '10.1.2.0/24');
  assert.equal(find('10.1.2.3'), '10.1.2.3/32');
  assert.equal(find('fd12::9'), 'fd00::/8');
  assert.equal(find('::1'), '::1/128');
  assert.equal(find('::2'), undefined);
  assert.equal(find('192.0.2.1'), undefined);
  const mapped = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 2, 9]);
  assert.equal(table.find(mapped), '10.1.2.0/24');
});

test('a deleted network is not found, and one that has another value meanwhile stays', () => {
  const table = networkTable<string>();
  table.set('10.0.0.0/8', 'anna');
  table.set('10.0.0.0/8', 'ben');
  table.delete('10.0.0.0/8', 'anna');
  assert.equal(table.find(addressBytes('10.0.0.1')!), 'ben');
  table.delete('10.0.0.0/8', 'ben');
  assert.equal(table.find(addressBytes('10.0.0.1')!), undefined);
});
