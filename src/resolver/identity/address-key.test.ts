import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressBytes, addressKey } from './address-key.ts';

const keyOf = (text: string): string => addressKey(addressBytes(text)!);

test('an address has one key in all spellings', () => {
  assert.equal(keyOf('192.0.2.1'), keyOf('::ffff:192.0.2.1'));
  assert.equal(addressKey(Uint8Array.of(192, 0, 2, 1)), addressKey(mapped(192, 0, 2, 1)));
  assert.equal(keyOf('2001:db8::1'), keyOf('2001:0DB8:0:0:0:0:0:1'));
});

test('only mapped addresses are IPv4', () => {
  const keys = [
    '192.0.2.1',
    '::192.0.2.1',
    '::1',
    '::',
    '0.0.0.0',
    '64:ff9b::192.0.2.1',
    '::fffe:192.0.2.1',
    '::ff:192.0.2.1',
  ].map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
});

test('different addresses have different keys', () => {
  const address = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  );
  fc.assert(
    fc.property(address, address, (one, other) => {
      assert.equal(addressKey(one) === addressKey(other), Buffer.compare(one, other) === 0);
    }),
  );
});

test('text that is not an address has no bytes', () => {
  for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', '::g']) assert.equal(addressBytes(text), undefined, text);
});

const mapped = (...v4: number[]): Uint8Array => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...v4);
