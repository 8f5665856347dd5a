import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { offerSetUp } from '../operations/set-up.ts';
import { authenticate } from './authenticate.ts';
import { setUpOperations } from './set-up.ts';

async function openSetUp(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, setUpOperations);
  const token = (await offerSetUp(api.deps))!;
  const body = { token, email: 'Anna@Example.org', password: 'a long new password' };
  const setUp = (changes: object = {}) => api.callPublic('setUp', { body: { ...body, ...changes } });
  const isDone = async () => {
    const state = await api.callPublic('getSetUp');
    return state.ok && state.value.is_done;
  };
  const errorField = async (changes: object): Promise<unknown> => {
    const result = await setUp(changes);
    return !result.ok && result.error.kind === 'invalid' && result.error.errors[0]!.field;
  };
  return { ...api, setUp, isDone, errorField, token };
}

test('the token creates the first account with its owner, once', async (t) => {
  const { setUp, isDone, errorField, deps, store } = await openSetUp(t);
  assert.equal(await isDone(), false);
  const done = await setUp({ time_zone: 'Europe/Berlin' });
  assert.ok(done.ok);
  assert.equal(await isDone(), true);
  const owner = await authenticate(deps, [`Bearer ${done.value.access_token}`]);
  assert.ok(owner.ok);
  assert.deepEqual([owner.value.email, owner.value.role], ['anna@example.org', 'owner']);
  assert.equal((await store.read.accounts.find(owner.value.account))!.timeZone, 'Europe/Berlin');
  assert.equal(await errorField({ email: 'ben@example.org' }), 'token');
  assert.equal(await store.read.accounts.count(), 1);
});

test('an error names its field and leaves the token usable', async (t) => {
  const { setUp, errorField, token } = await openSetUp(t);
  assert.equal(await errorField({ email: 'no address' }), 'email');
  assert.equal(await errorField({ time_zone: 'Berlin' }), 'time_zone');
  assert.equal(await errorField({ password: 'short' }), 'password');
  assert.equal(await errorField({ token: 'AAAA-AAAA-AAAA' }), 'token');
  assert.ok((await setUp({ token: token.toLowerCase().replaceAll('-', ' ') })).ok);
});

test('the token expires after half an hour', async (t) => {
  const { errorField, clock } = await openSetUp(t);
  clock.now += 30 * 60_000 + 1;
  assert.equal(await errorField({}), 'token');
});
