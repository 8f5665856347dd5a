import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytes, hexOf } from '../../test/support/dns/packets.ts';
import { types } from './numbers.ts';
import { recordText } from './record-text.ts';
import { addressHints, readServiceBinding } from './service-binding.ts';

const FOO = '03666f6f 076578616d706c65 03636f6d 00';

const text = (hex: string): string => recordText(types.SVCB, bytes(hex));

test('the examples of RFC 9460 are formatted as in the RFC', () => {
  const foo = `0010 ${FOO}`;
  assert.equal(text(`0000 ${FOO}`), '0 foo.example.com.');
  assert.equal(text('0001 00'), '1 .');
  assert.equal(text(`${foo} 0003 0002 0035`), '16 foo.example.com. port=53');
  assert.equal(text(`0001 ${FOO} 029b 0005 68656c6c6f`), '1 foo.example.com. key667=hello');
  assert.equal(text(`0001 ${FOO} 029b 0009 68656c6c6fd2716f6f`), '1 foo.example.com. key667=hello\\210qoo');
  assert.equal(
    text(`0001 ${FOO} 0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001`),
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
  );
  assert.equal(
    text(`${foo} 0000 0004 0001 0004 0001 0009 02 6832 05 68332d3139 0004 0004 c0000201`),
    '16 foo.example.com. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
  );
  assert.equal(text(`${foo} 0001 000c 08 665c6f6f2c626172 02 6832`), '16 foo.example.com. alpn=f\\\\\\\\oo\\\\,bar,h2');
  assert.equal(text('0001 00 0001 0003 02 6832 0002 0000 0005 0001 ff'), '1 . alpn=h2 no-default-alpn ech=/w==');
});

test('malformed parameters are rejected', () => {
  for (const hex of [
    '00',
    '0001',
    '0001 c00c',
    '0001 00 00',
    '0001 00 0004 0005 c0000201',
    '0001 00 0004 0004 c0000201 0004 0004 c0000202', // twice
    '0001 00 0004 0004 c0000201 0001 0003 02 6832', // not in order
  ]) {
    assert.equal(readServiceBinding(bytes(hex)), undefined, hex);
    assert.equal(addressHints(bytes(hex)), undefined, hex);
  }
  // Well-formed, but an address has four bytes.
  assert.equal(addressHints(bytes('0001 00 0004 0003 c00002')), undefined);
  assert.equal(addressHints(bytes('0001 00 0004 0000')), undefined);
});

test('hints are addresses that no query is needed for', () => {
  const data = bytes('0001 00 0004 0008 c0000201 c0000202 0006 0010 20010db8000000000000000000000001');
  assert.deepEqual(addressHints(data)?.map(hexOf), ['c0000201', 'c0000202', '20010db8000000000000000000000001']);
  assert.deepEqual(addressHints(bytes('0001 00')), []);
});

test('any bytes are handled without error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (tail) => {
      const data = Uint8Array.from([0, 1, 0, 0, ...tail]);
      addressHints(data);
      assert.ok(recordText(types.HTTPS, data).length > 0);
    }),
    { numRuns: 1_000 },
  );
});
