import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAsciiText } from './is-ascii-text.ts';

const anyBytes = fc.uint8Array({ maxLength: 40 });
// Bytes around the limit of ASCII.
const edgyBytes = fc
  .array(fc.constantFrom(0x00, 0x7f, 0x7f, 0x7f, 0x80, 0xff), {
    maxLength: 12,
  })
  .map((bytes) => new Uint8Array(bytes));
const runs = { numRuns: 3000 };

// At every position of a vector, and in texts longer than one part.
const places = [
  ...Array.from({ length: 40 }, (_, at) => [40, at] as const),
  ...[0, 9_000, 70_000, 199_999].map((at) => [200_000, at] as const),
];

test('a text is ASCII if no byte is above 127, at any offset', () => {
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

test('one non-ASCII byte at any position is detected', () => {
  for (const [length, at] of places) {
    const bytes = new Uint8Array(length).fill(0x61);
    assert.equal(isAsciiText(bytes), true);
    bytes[at] = 0x80;
    assert.equal(isAsciiText(bytes), false, `byte ${at}`);
  }
});
