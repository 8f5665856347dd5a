import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { userId } from '../../test/support/store/accounts.ts';
import { throttleKeys } from '../domain/login-throttle.ts';
import { memberOf, prove, provedMember } from './prove-identity.ts';

const from = '192.0.2.1';

async function openProof(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, []);
  const { deps, store } = api;
  const caller = await api.account('home');
  const proveBy = (password: string, code?: string) => {
    const body = { password, ...(code !== undefined && { code }) };
    return prove(deps, { caller, body, from });
  };
  const member = async (code?: string) => {
    const tried = await proveBy(PASSWORD);
    assert.ok(tried.ok);
    const body = { password: PASSWORD, ...(code !== undefined && { code }) };
    return store.inTransaction((transaction) => provedMember(transaction, deps, { caller, body }, tried.value));
  };
  const failures = async () => (await store.read.throttles.get(throttleKeys(caller.email, from).address))?.failures;
  return { ...api, caller, proveBy, member, failures };
}

test('a wrong password is an error of the field, and counts as a failure', async (t) => {
  const { proveBy, failures } = await openProof(t);
  const errors = [{ field: 'password', kind: 'wrong value', message: 'is wrong' }];
  assert.deepEqual(await proveBy('wrong'), { ok: false, error: { kind: 'invalid', errors } });
  assert.equal(await failures(), 1);
});

test('the right password returns the member, and the attempt is refunded', async (t) => {
  const { member, failures, store, caller } = await openProof(t);
  assert.deepEqual(await member(), { ok: true, value: await store.read.users.find(caller.account, caller.user) });
  assert.equal(await failures(), undefined);
});

test('with two-factor authentication a code is required in addition to the password', async (t) => {
  const { member, store, caller } = await openProof(t);
  await store.inTransaction(async ({ users }) => {
    const user = (await users.find(caller.account, caller.user))!;
    await users.update({ ...user, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
  });
  const kinds = [];
  for (const code of [undefined, '000']) {
    const result = await member(code);
    assert.ok(!result.ok && result.error.kind === 'invalid');
    kinds.push(result.error.errors.map(({ field, kind }) => `${field}: ${kind}`));
  }
  assert.deepEqual(kinds, [['code: required'], ['code: wrong value']]);
});

test('credentials of a user that was deleted are a fault', async (t) => {
  const { caller, store } = await openProof(t);
  const gone = { ...caller, user: userId('gone') };
  await assert.rejects(
    store.inTransaction((transaction) => memberOf(transaction, gone)),
    /does not exist/,
  );
});
