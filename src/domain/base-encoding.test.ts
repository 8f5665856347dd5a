import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesForLetters, fromBase32, lettersFrom, toBase32, toBase64Url } from './base-encoding.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

// RFC 4648 section 10.
for (const [text, base32] of [
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
] as const) {
  test(`"${text}" is ${base32 || 'nothing'} in base32, and back`, () => {
    assert.equal(toBase32(bytes(text)), base32);
    assert.deepEqual(fromBase32(base32), bytes(text));
  });
}

test('base32 is read in any case, with padding and spaces, and nothing else is', () => {
  assert.deepEqual(fromBase32('mzxw 6ytb-oi======'), bytes('foobar'));
  assert.equal(fromBase32('MZXW0'), undefined);
});

test("base64url is node's, and base32 reads back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (random) => {
      assert.equal(toBase64Url(random), Buffer.from(random).toString('base64url'));
      assert.deepEqual(fromBase32(toBase32(random)), Uint8Array.from(random));
    }),
  );
});

test('letters are the digits of the number that the bytes are, the last one first', () => {
  const random = new Uint8Array(bytesForLetters(3));
  random.set([1, 0], random.length - 2);
  assert.equal(lettersFrom(random, 3), 'IEA');
});

test('letters come from all of 62, about equally often, and only from enough bytes', () => {
  const counts = new Map<string, number>();
  let seed = 1;
  const next = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 256;
  };
  for (let round = 0; round < 2000; round++) {
    const random = Uint8Array.from({ length: bytesForLetters(8) }, next);
    for (const letter of lettersFrom(random, 8)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  assert.ok(Math.min(...counts.values()) > 150 && Math.max(...counts.values()) < 370);
  assert.throws(() => lettersFrom(new Uint8Array(8), 8), RangeError);
});
