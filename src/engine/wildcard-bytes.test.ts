import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameText } from '../kit/wire-name.ts';
import { createNameLetters, lettersText, readNameLetters } from './wildcard-bytes.ts';

test('the characters of a name are its text in lower case', () => {
  const letters = createNameLetters();
  const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 63 }), { maxLength: 20 });
  fc.assert(
    fc.property(labels, fc.nat(3), (all, at) => {
      const bytes = Uint8Array.from([...Array(at).fill(1), ...all.flatMap((label) => [label.length, ...label]), 0]);
      if (bytes.length - at > 255) return;
      readNameLetters(bytes, at, letters);
      assert.equal(lettersText(letters), nameText(bytes, at).toLowerCase());
    }),
  );
});
