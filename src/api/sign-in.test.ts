import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { type SignIn, signIn } from './sign-in.ts';

const by = (email: string, changes: Partial<SignIn> = {}): SignIn => ({
  email,
  password: PASSWORD,
  code: undefined,
  from: '192.0.2.1',
  userAgent: 'curl/8.5.0',
  sessionKind: { kind: 'own program' },
  ...changes,
});
const wrong = { ok: false, error: { kind: 'unauthorized', why: 'wrong sign-in' } };

test('the right password opens a session with an audit entry', async (t) => {
  const { account, deps, store } = await openApi(t, []);
  const home = await account('home');
  const signedIn = await signIn(deps, by(home.email));
  assert.ok(signedIn.ok);
  assert.notEqual(signedIn.value.tokens.accessToken, signedIn.value.tokens.refreshToken);
  const [entry] = await store.read.audit.list(home.account, { limit: 10 });
  assert.deepEqual([entry!.action, entry!.by, entry!.from], ['session.create', home.email, '192.0.2.1']);
});

test('a wrong password and an unknown address get the same error; only the account that exists is audited', async (t) => {
  const { account, deps, store } = await openApi(t, []);
  const home = await account('home');
  assert.deepEqual(await signIn(deps, by(home.email, { password: 'wrong' })), wrong);
  assert.deepEqual(await signIn(deps, by('unknown@example.org')), wrong);
  const entries = await store.read.audit.list(home.account, { limit: 10 });
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['session.refused'],
  );
});

test('after five failures an address has to wait, also with the right password; other addresses do not', async (t) => {
  const { account, clock, deps } = await openApi(t, []);
  const home = await account('home');
  for (let failed = 0; failed < 5; failed++)
    assert.deepEqual(await signIn(deps, by(home.email, { password: 'wrong' })), wrong);
  const limited = await signIn(deps, by(home.email));
  assert.ok(!limited.ok && limited.error.kind === 'slow down');
  assert.ok((await signIn(deps, by(home.email, { from: '198.51.100.1' }))).ok);
  clock.now += limited.error.retryAfterSeconds * 1000;
  assert.ok((await signIn(deps, by(home.email))).ok);
});

test('successful sign-ins are not counted as failures', async (t) => {
  const { account, deps } = await openApi(t, []);
  const home = await account('home');
  for (let times = 0; times < 12; times++) assert.ok((await signIn(deps, by(home.email))).ok, `sign-in ${times}`);
});

test('a suspended account cannot sign in', async (t) => {
  const { account, deps, store } = await openApi(t, []);
  const home = await account('home');
  await store.inTransaction(async ({ accounts }) =>
    accounts.update({ ...(await accounts.find(home.account))!, isSuspended: true }),
  );
  assert.deepEqual(await signIn(deps, by(home.email)), wrong);
});
