import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asWords, isAsciiText, nextCapitalWord } from './words.ts';

const anyBytes = fc.uint8Array({ maxLength: 40 });
// Bytes at the borders of what is asked for, so that carries and borrows would show.
const edgyBytes = fc
  .array(fc.constantFrom(0x00, 0x3f, 0x40, 0x41, 0x5a, 0x5b, 0x7f, 0x80, 0xc0, 0xc1, 0xda, 0xdb, 0xff), {
    maxLength: 12,
  })
  .map((bytes) => new Uint8Array(bytes));
const runs = { numRuns: 3000 };

test('bytes that begin on a word are seen as words, those left over excepted', () => {
  const bytes = new Uint8Array(11);
  assert.equal(asWords(bytes)?.length, 2);
  assert.equal(asWords(bytes.subarray(4))?.length, 1);
  assert.equal(asWords(bytes.subarray(1)), undefined);
});

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

test('the next word with a capital letter is found, and no other', () => {
  fc.assert(
    fc.property(fc.oneof(anyBytes, edgyBytes), fc.nat(3), (bytes, from) => {
      const words = asWords(bytes) ?? assert.fail('a fresh array begins on a word');
      const plainly = Array.from(words, (_, word) => [...bytes.subarray(word * 4, word * 4 + 4)].some(isCapital));
      assert.equal(nextCapitalWord(words, from), plainly.indexOf(true, from));
    }),
    { numRuns: 10_000 },
  );
});
