import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/kit/any-text.ts';
import { isSameSecret } from './timing-safe-equal.ts';

test('only the secret itself is the same as it', () => {
  fc.assert(
    fc.property(anyText(70), anyText(64), (one, other) => {
      assert.equal(isSameSecret(one, other), one === other && other !== '');
      assert.equal(isSameSecret(other, other), other !== '' && other.length <= 64);
    }),
  );
});

test('neither zeros behind it nor a longer text with the same beginning is the secret', () => {
  assert.equal(isSameSecret('secret\0', 'secret'), false);
  const long = 'x'.repeat(64);
  assert.equal(isSameSecret(`${long}a`, `${long}b`), false);
  assert.equal(isSameSecret('', ''), false);
});
