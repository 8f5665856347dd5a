import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { hintOf, makeSecret, type SecretKind, secretKind } from './secret-text.ts';

const kinds: readonly (readonly [SecretKind, RegExp])[] = [
  ['access token', /^weir_at_[\w-]{49}$/],
  ['refresh token', /^weir_rt_[\w-]{49}$/],
  ['api key', /^weir_key_[\w-]{49}$/],
  ['invitation', /^weir_inv_[\w-]{49}$/],
  ['authorization code', /^weir_code_[\w-]{49}$/],
];
const random = fc.uint8Array({ minLength: 32, maxLength: 32 });

for (const [kind, form] of kinds) {
  test(`a generated ${kind} is recognised for any random bytes`, () => {
    fc.assert(
      fc.property(random, (bytes) => {
        const secret = makeSecret(kind, bytes);
        assert.match(secret, form);
        assert.equal(secretKind(secret), kind);
      }),
    );
  });
}

test('a secret with one character changed, missing or added is invalid', () => {
  fc.assert(
    fc.property(random, fc.nat(57), fc.constantFrom(...Array.from('AZaz09-_')), (bytes, at, letter) => {
      const secret = makeSecret('api key', bytes);
      const other = secret.slice(0, at) + letter + secret.slice(at + 1);
      if (other !== secret) assert.equal(secretKind(other), undefined);
      assert.equal(secretKind(secret.slice(0, at) + secret.slice(at + 1)), undefined);
      assert.equal(secretKind(secret + letter), undefined);
    }),
  );
});

test('the checksum is the CRC-32 that scanners know', () => {
  const secret = makeSecret('api key', new Uint8Array(32).fill(7));
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret.slice(0, -6)));
  assert.equal(secret.slice(-6), sum.toString('base64url'));
});

test('a longer text with a correct checksum is invalid', () => {
  const body = `weir_key_${'A'.repeat(44)}`;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  assert.equal(secretKind(body + sum.toString('base64url')), undefined);
});

test('the hint shows the kind and four letters', () => {
  assert.equal(hintOf('api key', makeSecret('api key', new Uint8Array(32))), 'weir_key_AAAA');
});

test('a secret is never made from fewer random bytes', () => {
  assert.throws(() => makeSecret('api key', new Uint8Array(16)), RangeError);
});
