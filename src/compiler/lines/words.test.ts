import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAsciiText, nextCapital } from './words.ts';

const anyBytes = fc.uint8Array({ maxLength: 40 });
// Bytes at the borders of what is asked for, so that carries and borrows would show.
const edgyBytes = fc
  .array(fc.constantFrom(0x00, 0x3f, 0x40, 0x41, 0x5a, 0x5b, 0x7f, 0x80, 0xc0, 0xc1, 0xda, 0xdb, 0xff), {
    maxLength: 12,
  })
  .map((bytes) => new Uint8Array(bytes));
const runs = { numRuns: 3000 };

test('a text is ASCII when none of its bytes is above 127, wherever it begins and ends', () => {
  fc.assert(
    fc.property(fc.oneof(anyBytes, edgyBytes), fc.nat(4), (bytes, from) => {
      const part = bytes.subarray(from);
      assert.equal(
        isAsciiText(part),
        part.every((byte) => byte < 0x80),
      );
    }),
    runs,
  );
});

test('one foreign byte anywhere is enough', () => {
  for (let at = 0; at < 9; at++) {
    const bytes = new Uint8Array(9).fill(0x61);
    assert.equal(isAsciiText(bytes), true);
    bytes[at] = 0x80;
    assert.equal(isAsciiText(bytes), false, `byte ${at}`);
  }
});

const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

test('the next capital letter is found, and no other, wherever the bytes begin', () => {
  fc.assert(
    fc.property(fc.oneof(anyBytes, edgyBytes), fc.nat(4), fc.nat(8), (bytes, start, from) => {
      const part = bytes.subarray(start);
      assert.equal(
        nextCapital(part, from),
        part.findIndex((byte, at) => at >= from && isCapital(byte)),
      );
    }),
    { numRuns: 10_000 },
  );
});
