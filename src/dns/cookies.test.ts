import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, hexOf } from '../../test/support/dns/packets.ts';
import { sipHash } from '../kit/siphash.ts';
import { COOKIE_LENGTH, checkCookie, writeCookie } from './cookies.ts';

// The examples of RFC 9018, appendix A.
const secret = bytes('e5e973e5a6b2a43f48e7dc849e37bfcf');
const laptop = Uint8Array.of(198, 51, 100, 100);
const LEARNED = 1_559_731_985;
const learned = bytes('2464c4abcf10c957 010000005cf79f111f8130c3eee29480');

const written = (client: string, address: Uint8Array, key: Uint8Array, now: number): string => {
  const into = new Uint8Array(COOKIE_LENGTH);
  writeCookie(into, bytes(`ff${client}`), 1, { address, secret: key, seconds: now });
  return hexOf(into);
};

test('cookies match the examples of RFC 9018', () => {
  assert.equal(written('2464c4abcf10c957', laptop, secret, LEARNED), hexOf(learned));
  assert.equal(
    written('2464c4abcf10c957', laptop, secret, 1_559_734_385),
    '2464c4abcf10c957010000005cf7a871d4a564a1442aca77',
  );
  assert.equal(
    written(
      '22681ab97d52c298',
      bytes('20010db80220000159ded0f4876982b8'),
      bytes('445536bcd2513298075a5d379663c962'),
      1_559_741_961,
    ),
    '22681ab97d52c298010000005cf7c609a6bb79d16625507a',
  );
});

const check = (cookie: Uint8Array, address: Uint8Array, now: number, secrets = [secret]) =>
  checkCookie(cookie, { cookieAt: 0, cookieLength: cookie.length }, address, secrets, now);

test('a cookie is valid for an hour for its address and due for renewal after half an hour', () => {
  assert.equal(check(learned, laptop, LEARNED), 'valid');
  assert.equal(check(learned, laptop, LEARNED + 1_800), 'valid');
  assert.equal(check(learned, laptop, LEARNED + 1_801), 'renew');
  assert.equal(check(learned, laptop, LEARNED + 3_600), 'renew');
  assert.equal(check(learned, laptop, LEARNED + 3_601), 'invalid');
  assert.equal(check(learned, Uint8Array.of(198, 51, 100, 101), LEARNED), 'invalid');
});

test('clocks of two servers may differ by five minutes', () => {
  assert.equal(check(learned, laptop, LEARNED - 300), 'valid');
  assert.equal(check(learned, laptop, LEARNED - 301), 'invalid');
});

test('reserved bytes are hashed and otherwise ignored', () => {
  const reserved = bytes('fc93fc62807ddb86 01abcdef5cf78f71a314227b6679ebf5');
  assert.equal(check(reserved, Uint8Array.of(203, 0, 113, 203), 0x5cf78f71), 'valid');
});

test('a cookie issued with the previous secret is accepted and renewed', () => {
  const older = bytes('22681ab97d52c298 010000005cf7c57926556bd0934c72f8');
  const secrets = [bytes('445536bcd2513298075a5d379663c962'), bytes('dd3bdf9344b678b185a6f5cb60fca715')];
  const address = bytes('20010db80220000159ded0f4876982b8');
  assert.equal(check(older, address, 1_559_741_961, secrets), 'renew');
  assert.equal(check(older, address, 1_559_741_961, secrets.slice(0, 1)), 'invalid');
});

test('a client cookie alone is not a server cookie; another length or version is invalid', () => {
  assert.equal(check(learned.slice(0, 8), laptop, LEARNED), 'none');
  assert.equal(check(learned.slice(0, 16), laptop, LEARNED), 'invalid');
  assert.equal(check(learned.with(8, 2), laptop, LEARNED), 'invalid');
});

test('a cookie of another version is invalid even if its hash is correct', () => {
  const next = learned.with(8, 2);
  const hashed = Uint8Array.from([...next.subarray(0, 16), ...laptop]);
  sipHash(secret, hashed, 0, hashed.length, next.subarray(16));
  assert.equal(check(next, laptop, LEARNED), 'invalid');
});

test('every flipped bit makes a cookie invalid', () => {
  for (let bit = 0; bit < learned.length * 8; bit++) {
    const flipped = learned.with(bit >> 3, learned[bit >> 3]! ^ (1 << (bit & 7)));
    assert.equal(check(flipped, laptop, LEARNED), 'invalid', `bit ${bit}`);
  }
});

test('timestamps wrap around after 32 bits', () => {
  const late = 2 ** 32 + 100;
  const cookie = bytes(written('2464c4abcf10c957', laptop, secret, 2 ** 32 - 100));
  assert.equal(check(cookie, laptop, late), 'valid');
});
