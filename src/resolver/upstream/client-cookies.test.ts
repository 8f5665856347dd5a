import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import { clientCookies } from './client-cookies.ts';
import { pooledRandom } from './random.ts';

const create = () => clientCookies(pooledRandom((bytes) => void randomFillSync(bytes)));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

test('a server without cookies is accepted, one that has sent a cookie must go on', () => {
  const cookies = create();
  assert.equal(cookies.option().length, 8);
  assert.equal(cookies.accepts(undefined), true);
  const server = new Uint8Array(16).fill(7);
  assert.equal(cookies.accepts(joined(cookies.option(), server)), true);
  assert.deepEqual(cookies.option().subarray(8), server);
  assert.equal(cookies.accepts(undefined), false);
});

test('another client cookie is not accepted, and a malformed server cookie is not sent back', () => {
  const cookies = create();
  assert.equal(cookies.accepts(new Uint8Array(24)), false);
  assert.equal(cookies.accepts(new Uint8Array(3)), false);
  assert.equal(cookies.accepts(joined(cookies.option(), new Uint8Array(4))), true);
  assert.equal(cookies.option().length, 8);
  assert.equal(cookies.accepts(joined(cookies.option(), new Uint8Array(33))), true);
  assert.equal(cookies.option().length, 8);
});
