import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMac, parseMac } from './mac-address.ts';

const canonical = 'a0:b1:c2:d3:e4:f5';

for (const spelling of ['A0:B1:C2:D3:E4:F5', 'a0-b1-c2-d3-e4-f5', 'a0b1.c2d3.e4f5', ' A0B1C2D3E4F5 '])
  test(`${spelling} is ${canonical}`, () => assert.equal(parseMac(spelling), canonical));

for (const text of ['', 'a0:b1:c2:d3:e4', 'a0:b1:c2:d3:e4:f5:00', 'a0:b1:c2:d3:e4:g5', 'a0:b1-c2:d3:e4:f5', 'fe80::1'])
  test(`"${text}" is not a MAC address`, () => assert.equal(parseMac(text), undefined));

test('bytes are formatted from an offset', () => {
  assert.equal(formatMac(Uint8Array.of(9, 0xa0, 0xb1, 0xc2, 0xd3, 0xe4, 0xf5, 9), 1), canonical);
});
