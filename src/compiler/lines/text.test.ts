import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { append, appendString, createText, decode, isAscii, reserve } from './text.ts';

test('added text is at the returned position, and earlier text stays', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '\u007f', 'é', '\ufeff', '€', '😀', '\ud800'), maxLength: 6 }), {
        maxLength: 12,
      }),
      (strings) => {
        const text = createText(1);
        const places = strings.map((string, at) => {
          const bytes = new TextEncoder().encode(string);
          const start = at % 2 === 0 ? appendString(text, string) : append(text, bytes);
          return { string: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), start, end: text.length };
        });
        for (const { string, start, end } of places) assert.equal(decode(text.bytes, start, end), string);
        assert.equal(text.length, places.at(-1)?.end ?? 0);
      },
    ),
    { numRuns: 1000 },
  );
});

test('reserved space exists, and reserving it adds no text', () => {
  const text = createText(4);
  append(text, new Uint8Array([1, 2, 3]));
  const bytes = reserve(text, 100);
  assert.equal(bytes, text.bytes);
  assert.ok(bytes.length >= 103);
  assert.equal(text.length, 3);
  assert.deepEqual([...bytes.subarray(0, 4)], [1, 2, 3, 0]);
});

test('existing space is not reserved again', () => {
  const text = createText(100);
  const { bytes } = text;
  assert.equal(reserve(text, 100), bytes);
});

test('a text that is too large for offsets is rejected', () => {
  assert.throws(() => reserve(createText(), 2 ** 33), /larger than \d GiB/);
});

test('a byte order mark is an ordinary character', () => {
  const text = createText();
  appendString(text, '\ufeffa');
  assert.equal(decode(text.bytes, 0, text.length), '\ufeffa');
});

test('ASCII text is recognised', () => {
  const bytes = new TextEncoder().encode('a\u007fé\u0000');
  assert.equal(isAscii(bytes, 0, 2), true);
  assert.equal(isAscii(bytes, 0, 3), false);
  assert.equal(isAscii(bytes, 2, 3), false);
  assert.equal(isAscii(bytes, 4, 5), true);
  assert.equal(isAscii(bytes, 2, 2), true);
  assert.equal(isAscii(new Uint8Array([0x80]), 0, 1), false);
});
