import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyName, bytes, name } from '../../test/support/dns/packets.ts';
import { mixedCase, restoreCase } from './case-randomization.ts';
import { isAtOrUnder, nameKey, sameBytes, sameName, wholeNameEnd, writtenNameEnd } from './wire-names.ts';

test('names that differ in the case of ASCII letters only are the same', () => {
  assert.ok(sameName(name('WWW.Example.com'), name('www.eXample.COM')));
  assert.ok(!sameName(name('www.example.com'), name('www.example.org')));
  // Non-ASCII bytes, and bytes that differ by 0x20 but are not letters.
  assert.ok(!sameName(name('\\192.test'), name('\\224.test')));
  assert.ok(!sameName(name('@.test'), name('`.test')));
  assert.ok(!sameName(name('[.test'), name('{.test')));
});

test('a dot inside a label does not separate labels', () => {
  assert.ok(!sameName(name('a\\.b.test'), name('a.b.test')));
  assert.notEqual(nameKey(name('a\\.b.test')), nameKey(name('a.b.test')));
  assert.ok(!isAtOrUnder(name('www\\.example.com'), name('example.com')));
  assert.ok(isAtOrUnder(name('www\\.example.com'), name('com')));
});

test('a name is in its own zone and in those above it', () => {
  for (const zone of ['www.example.com', 'EXAMPLE.com', 'com', '.']) {
    assert.ok(isAtOrUnder(name('www.example.com'), name(zone)), zone);
  }
  for (const zone of ['a.www.example.com', 'xample.com', 'org', 'example.org', 'ww.example.com']) {
    assert.ok(!isAtOrUnder(name('www.example.com'), name(zone)), zone);
  }
});

test('two names have the same key exactly if they are equal', () => {
  fc.assert(
    fc.property(anyName, anyName, fc.uint8Array({ minLength: 32, maxLength: 32 }), (a, b, random) => {
      assert.equal(nameKey(a) === nameKey(b), sameName(a, b));
      assert.equal(nameKey(mixedCase(a, random)), nameKey(a));
      assert.ok(isAtOrUnder(a, mixedCase(a, random)));
      assert.equal(wholeNameEnd(a, 0, a.length), a.length);
      assert.equal(wholeNameEnd(a, 0, a.length - 1), -1);
    }),
  );
});

test('a name may end in a backward pointer of two bytes', () => {
  const end = (hex: string): number => {
    const message = bytes('00'.repeat(12), '0161 00', hex);
    return writtenNameEnd(message, 0, 15, message.length);
  };
  assert.equal(end('0162 c00c'), 19);
  assert.equal(end('0162 00'), 18);
  assert.equal(end('c00c ff'), 17);
  const cut = bytes('00'.repeat(12), '0161 00', 'c00c');
  assert.equal(writtenNameEnd(cut, 0, 15, 16), -1, 'the second byte is not its own');
  for (const none of ['', 'c0', 'c00f', 'c010', 'c00b', '0162', '40', '3f 61']) assert.equal(end(none), -1, none);
});

test('random bits affect only the case of letters', () => {
  const asked = name('a-9.bc\\193.com');
  assert.ok(sameBytes(mixedCase(asked, new Uint8Array(32)), asked));
  assert.ok(sameBytes(mixedCase(asked, new Uint8Array(32).fill(0xff)), name('A-9.BC\\193.COM')));
});

test('the original case is restored in the question', () => {
  const answer = bytes('1234 8180 0001 0000 0000 0000 03 577777 02 634F 00 0001 0001');
  restoreCase(answer, name('www.co'));
  assert.ok(sameBytes(answer.subarray(12, 20), name('www.co')));
  assert.ok(sameBytes(answer.subarray(20), bytes('0001 0001')));
});
