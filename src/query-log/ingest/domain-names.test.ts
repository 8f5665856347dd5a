import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameText } from '../../kit/wire-name.ts';
import { createDomainNames } from './domain-names.ts';

/** Labels of arbitrary bytes, in wire format. */
const wireNames = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 12 }), { maxLength: 4 })
  .map((labels) => Uint8Array.from([...labels.flatMap((label) => [label.length, ...label]), 0]));

const inSmallLetters = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

test('names that differ only in capital letters have one number, all others have numbers of their own', () => {
  fc.assert(
    fc.property(fc.array(wireNames, { maxLength: 30 }), (given) => {
      const names = createDomainNames();
      const numbers = new Map<string, number>();
      for (const bytes of given) {
        const small = inSmallLetters(bytes);
        const key = small.join();
        const number = names.of(bytes, bytes.length);
        assert.equal(number, numbers.get(key) ?? numbers.size);
        assert.equal(names.of(small, small.length), number);
        assert.equal(names.domains()[number], nameText(small, 0));
        numbers.set(key, number);
      }
      assert.equal(names.domains().length, numbers.size);
    }),
  );
});
