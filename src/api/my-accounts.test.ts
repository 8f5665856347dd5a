import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { userNamed } from '../../test/support/store/accounts.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { myAccountOperations } from './my-accounts.ts';
import { isRaw } from './operation.ts';
import { openSession, type SessionKind } from './sign-in.ts';

const from = '192.0.2.1';

/** Ben owns an account, and is a viewer of the account `home`. */
async function openAccounts(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, myAccountOperations);
  const { deps, store } = api;
  const [home, ben] = [await api.account('home'), await api.account('ben')];
  await store.inTransaction(({ users }) =>
    users.join({ account: home.account, id: ben.user, role: 'viewer', createdAt: 2000 }),
  );
  const signIn = async (sessionKind: SessionKind = { kind: 'own program' }): Promise<Caller> => {
    const { accessToken } = await store.inTransaction((transaction) =>
      openSession(transaction, deps, { account: ben.account, id: ben.user }, { sessionKind, from, userAgent: 'curl' }),
    );
    const caller = await authenticate(deps, [`Bearer ${accessToken}`]);
    assert.ok(caller.ok);
    return caller.value;
  };
  const suspend = async ({ account }: Caller) => {
    const stored = (await store.read.accounts.find(account))!;
    await store.inTransaction(({ accounts }) => accounts.update({ ...stored, isSuspended: true }));
  };
  const list = async (caller: Caller) => (await api.done('listAccounts', caller)).reply;
  const switchTo = (caller: Caller, account_id: string) => api.call('switchAccount', caller, { body: { account_id } });
  return { ...api, home, ben, signIn, suspend, list, switchTo };
}
const notYours = {
  ok: false,
  error: {
    kind: 'invalid',
    errors: [{ field: 'account_id', kind: 'wrong value', message: 'is not an account of this user' }],
  },
};

test('a signed-in user sees all accounts, each with the role there and the owner', async (t) => {
  const { list, signIn, home, ben } = await openAccounts(t);
  assert.deepEqual(await list(await signIn()), [
    { id: ben.account, owner_email: ben.email, role: 'owner', current: true },
    { id: home.account, owner_email: home.email, role: 'viewer', current: false },
  ]);
});

test('an API key and a third-party app see only the account that they belong to', async (t) => {
  const { list, signIn, ben } = await openAccounts(t);
  const own = [{ id: ben.account, owner_email: ben.email, role: 'owner', current: true }];
  assert.deepEqual(await list(ben), own);
  assert.deepEqual(await list(await signIn({ kind: 'client', id: 'router' })), own);
});

test('an account that the user has left meanwhile is not listed', async (t) => {
  const { list, store, home, ben } = await openAccounts(t);
  const member = { ...ben, account: home.account, role: 'viewer' } as const;
  assert.equal((await list(member)).length, 1);
  await store.inTransaction(({ users }) => users.remove(home.account, ben.user));
  assert.deepEqual(await list(member), []);
});

test('a suspended account is neither listed nor switched to', async (t) => {
  const { list, signIn, suspend, switchTo, home, ben } = await openAccounts(t);
  const caller = await signIn();
  await suspend(home);
  assert.deepEqual(
    (await list(caller)).map(({ id }: { id: string }) => id),
    [ben.account],
  );
  assert.deepEqual(await switchTo(caller, home.account), notYours);
});

test('of several owners the one who joined first is shown', async (t) => {
  const { list, signIn, store, home } = await openAccounts(t);
  const caller = await signIn();
  const second = userNamed('second', { account: home.account, role: 'owner', createdAt: 3000 });
  await store.inTransaction(({ users }) => users.add(second));
  const ownerOf = async () => (await list(caller))[1].owner_email;
  assert.equal(await ownerOf(), home.email);
});

test('the switch ends the session and opens one in the other account, both audited', async (t) => {
  const { deps, signIn, store, switchTo, home, ben } = await openAccounts(t);
  const caller = await signIn();
  const switched = await switchTo(caller, home.account);
  assert.ok(switched.ok);
  const { reply, audit } = switched.value;
  assert.deepEqual(audit, { action: 'session.end' });
  const member = [reply.member.id, reply.member.role, 'session_idle_minutes' in reply.member];
  assert.deepEqual(member, [ben.user, 'viewer', false]);
  const after = await authenticate(deps, [`Bearer ${reply.access_token}`]);
  assert.ok(after.ok && after.value.account === home.account);
  assert.deepEqual(await store.read.tokens.sessions(ben.account, ben.user), []);
  const [entry] = await store.read.audit.list(home.account, { limit: 1 });
  assert.deepEqual([entry?.action, entry?.by, entry?.from], ['session.create', ben.email, from]);
});

test('an account of others and an unknown one are errors of the field, and the session stays', async (t) => {
  const { account, signIn, store, switchTo, ben } = await openAccounts(t);
  const caller = await signIn();
  const other = await account('other');
  for (const id of [other.account, 'missing']) assert.deepEqual(await switchTo(caller, id), notYours);
  assert.equal((await store.read.tokens.sessions(ben.account, ben.user)).length, 1);
});

test('a page gets the new session as a cookie, and stays signed in if it was', async (t) => {
  const { deps, signIn, store, home } = await openAccounts(t);
  const { handler } = myAccountOperations.find(({ operationId }) => operationId === 'switchAccount')!;
  assert.ok(handler.kind === 'mutation');
  for (const [isPersistent, seconds] of [
    [false, 43_200],
    [true, 34_560_000],
  ] as const) {
    const caller = await signIn({ kind: 'page', isPersistent });
    const input = { caller, body: { account_id: home.account }, inCookie: 'secure', from, userAgent: undefined };
    const result = await store.inTransaction((store) => handler.run(store, input as never, deps, undefined as never));
    assert.ok(result.ok && isRaw(result.value.reply));
    assert.match(result.value.reply.headers['set-cookie']!, new RegExp(`Max-Age=${seconds}; Secure$`));
  }
});

test('the list can be read with an API key, and the switch needs a session', () => {
  assert.deepEqual(
    myAccountOperations.map(({ operationId, handler }) => [operationId, handler.kind !== 'public' && handler.requires]),
    [
      ['listAccounts', 'reader'],
      ['switchAccount', 'self'],
    ],
  );
});
