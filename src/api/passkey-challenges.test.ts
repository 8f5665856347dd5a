import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { userId } from '../../test/support/store/accounts.ts';
import { CHALLENGE_MS, newChallenge, partyFor, takeChallenge } from './passkey-challenges.ts';

const party = { id: 'weir.example', origin: 'https://weir.example' } as unknown as Parameters<typeof newChallenge>[3];
const dataOf = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');

test('a challenge is taken once, for its purpose and user, until it expires', async (t) => {
  const { store, deps, clock } = await openApi(t, []);
  type Purpose = Parameters<typeof newChallenge>[2];
  const create = (purpose: Purpose) =>
    store.inTransaction((transaction) => newChallenge(transaction, deps, purpose, party));
  const take = (purpose: Purpose, challenge: string) =>
    store.inTransaction((transaction) => takeChallenge(transaction, deps, purpose, dataOf({ challenge })));
  const ofAnna = { registrationOf: userId('anna') };
  const challenge = await create(ofAnna);
  assert.equal(await take('sign-in', challenge), undefined);
  assert.equal(await take({ registrationOf: userId('bert') }, challenge), undefined);
  assert.deepEqual(await take(ofAnna, challenge), { challenge, party });
  assert.equal(await take(ofAnna, challenge), undefined);
  const late = await create('sign-in');
  assert.notEqual(late, challenge);
  clock.now += CHALLENGE_MS;
  assert.equal(await take('sign-in', late), undefined);
});

test('a response that does not name a challenge is refused', async (t) => {
  const { store, deps } = await openApi(t, []);
  for (const data of [
    '',
    'not base64 *',
    dataOf(null),
    dataOf([]),
    dataOf({}),
    dataOf({ challenge: 5 }),
    dataOf('text'),
  ]) {
    const taken = await store.inTransaction((transaction) => takeChallenge(transaction, deps, 'sign-in', data));
    assert.equal(taken, undefined, data);
  }
});

test('passkeys work with HTTPS and a host name, or on localhost', () => {
  const isOffered = (publicUrl: string, origin = publicUrl): boolean =>
    partyFor({ publicUrl: () => publicUrl }, origin).ok;
  assert.ok(isOffered('https://weir.example'));
  assert.ok(isOffered('http://localhost:8080'));
  assert.ok(!isOffered('http://weir.example'));
  assert.ok(!isOffered('https://192.0.2.1'));
});
