import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { operatorOnly } from './operator.ts';

async function openOperator(t: { after(end: () => unknown): void }, operator: Deps['operator']) {
  const api = await openApi(t, [], { operator });
  const [home, other] = [await api.account('home'), await api.account('other')];
  const isAllowed = async (caller: Caller) => (await operatorOnly(api.deps, caller)).ok;
  return { ...api, home, other, isAllowed };
}

test('by default the owner of the first account is the operator', async (t) => {
  const { isAllowed, home, other } = await openOperator(t, 'first');
  assert.deepEqual([await isAllowed(home), await isAllowed(other)], [true, false]);
  assert.equal(await isAllowed({ ...home, role: 'admin' }), false);
});

test('an installation may have no operator', async (t) => {
  const { deps, home } = await openOperator(t, 'nobody');
  assert.deepEqual(await operatorOnly(deps, home), {
    ok: false,
    error: { kind: 'forbidden', why: 'Only the operator of this installation may do this' },
  });
});

test('the user with the configured address is recorded at the first request, and stays the operator', async (t) => {
  const { isAllowed, home, other, store } = await openOperator(t, 'other@example.org');
  assert.equal(await isAllowed(home), false);
  assert.equal(await store.read.operators.find('other@example.org'), undefined);
  assert.equal(await isAllowed(other), true);
  assert.equal(await store.read.operators.find('other@example.org'), other.user);
  assert.equal(await isAllowed({ ...home, email: 'other@example.org' }), false);
  assert.equal(await isAllowed({ ...other, email: 'new@example.org' }), true);
});

test('an address that a member has claimed does not make an operator', async (t) => {
  const { isAllowed, other, store } = await openOperator(t, 'other@example.org');
  const user = (await store.read.users.find(other.account, other.user))!;
  await store.inTransaction(({ users }) => users.update({ ...user, emailIsClaimed: true }));
  assert.equal(await isAllowed(other), false);
});
