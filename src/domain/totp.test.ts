import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { fromBase32 } from './base-encoding.ts';
import { acceptTotp, type HmacSha1, newTotpSecret, otpauthUri, totpCode } from './totp.ts';

const hmac: HmacSha1 = (key, message) => createHmac('sha1', key).update(message).digest();
const key = new TextEncoder().encode('12345678901234567890');
const secret = newTotpSecret(key);

// RFC 6238 appendix B, rows of SHA-1.
for (const [seconds, code] of [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const) {
  test(`at ${seconds} seconds the code is ${code}`, () => {
    assert.equal(totpCode(key, Math.floor(seconds / 30), hmac, 8), code);
    assert.equal(
      acceptTotp({ secret, code: code.slice(2), now: seconds * 1000, lastStep: undefined }, hmac),
      Math.floor(seconds / 30),
    );
  });
}

const now = 1_700_000_010_000;
const step = Math.floor(now / 30_000);
const tryAt = (away: number, lastStep?: number): number | undefined =>
  acceptTotp({ secret, code: totpCode(key, step + away, hmac), now, lastStep }, hmac);

test('the codes of one step before and after are accepted, others are not', () => {
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((away) => tryAt(away)),
    [undefined, step - 1, step, step + 1, undefined],
  );
});

test('each step works once, and none before it works after it', () => {
  assert.equal(tryAt(0, step), undefined);
  assert.equal(tryAt(-1, step), undefined);
  assert.equal(tryAt(1, step), step + 1);
});

test('a code may contain a space; other text is rejected', () => {
  const code = totpCode(key, step, hmac);
  const accept = (text: string) => acceptTotp({ secret, code: text, now, lastStep: undefined }, hmac);
  assert.equal(accept(`${code.slice(0, 3)} ${code.slice(3)}`), step);
  for (const text of ['', '12345', `${code}0`, 'abcdef', `-${code.slice(1)}`])
    assert.equal(accept(text), undefined, text);
  assert.equal(acceptTotp({ secret: '', code, now, lastStep: undefined }, hmac), undefined);
  assert.equal(acceptTotp({ secret: '!', code, now, lastStep: undefined }, hmac), undefined);
});

test('the URI for authenticator apps has issuer, account and secret', () => {
  assert.deepEqual(fromBase32(secret), key);
  assert.equal(
    otpauthUri('My: DNS', 'ann+b@example.org', secret),
    `otpauth://totp/My%20%20DNS:ann%2Bb%40example.org?secret=${secret}&issuer=My%3A%20DNS&algorithm=SHA1&digits=6&period=30`,
  );
});
