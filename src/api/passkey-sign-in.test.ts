import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { type Deviation, passkeyAuthenticator } from '../../test/support/passkey-authenticator.ts';
import { accountNamed, passkeyOf } from '../../test/support/store/accounts.ts';
import { passkeyThrottleKey, throttleKeys } from '../domain/login-throttle.ts';
import { authenticate } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { isRaw } from './operation.ts';
import { passkeySignInOperations } from './passkey-sign-in.ts';
import { userHandleOf } from './passkeys.ts';
import { AccessTokenErrorResponse } from './wire/errors.ts';

const ORIGIN = 'https://weir.example';
const party = { id: 'weir.example', origin: ORIGIN };
const from = '192.0.2.1';

async function openPasskey(t: { after(end: () => unknown): void }, given: Partial<Deps> = {}) {
  const api = await openApi(t, passkeySignInOperations, given);
  const { deps, store } = api;
  const home = await api.account('home');
  const authenticator = passkeyAuthenticator(ORIGIN);
  const user = { id: userHandleOf(home.user) };
  const challenge = 'AAAA';
  const created = authenticator.create({ challenge, rp: party, user });
  const credential = { ...created, type: 'public-key' as const };
  const registered = await deps.passkeys.registration(credential, { challenge, party });
  assert.ok(registered);
  const passkey = { ...passkeyOf('home'), ...registered, rpId: party.id };
  await store.inTransaction(({ passkeys }) => passkeys.add(passkey));

  const run = (operationId: string, input: object) => {
    const { handler } = passkeySignInOperations.find((each) => each.operationId === operationId)!;
    assert.ok(handler.kind === 'public');
    return handler.run(deps, {
      from,
      userAgent: undefined,
      inCookie: undefined,
      pageOrigin: ORIGIN,
      ...input,
    } as never);
  };
  const begin = async () => {
    const begun = await run('beginPasskeySession', {});
    assert.ok(begun.ok, JSON.stringify(begun));
    return begun.value as { readonly challenge: string; readonly rpId: string };
  };
  /** Signs in with a new challenge, or with the given one. */
  const signIn = async (body: object = {}, deviation: Deviation = {}, options?: Awaited<ReturnType<typeof begin>>) => {
    const response = authenticator.get(options ?? (await begin()), deviation);
    return run('createPasskeySession', { body: { credential: response, ...body }, ...input });
  };
  const input: { inCookie?: 'secure' } = {};
  const failures = async (key: string) => (await store.read.throttles.get(key))?.failures;
  const audit = async () => (await store.read.audit.list(home.account, { limit: 10 })).map(({ action }) => action);
  return { ...api, home, passkey, run, begin, signIn, input, failures, audit };
}
const wrong = { ok: false, error: { kind: 'unauthorized', why: 'wrong sign-in' } };

test('the options name the host, five minutes and a user that is verified; each has a different challenge', async (t) => {
  const { begin } = await openPasskey(t);
  const { challenge, ...rest } = await begin();
  assert.match(challenge, /^[\w-]{43}$/);
  assert.deepEqual(rest, { rpId: 'weir.example', timeout: 300_000, userVerification: 'required' });
  assert.notEqual((await begin()).challenge, challenge);
});

test('plain HTTP has no passkeys', async (t) => {
  const { run } = await openPasskey(t, { publicUrl: () => 'http://192.168.1.2:3000' });
  const begun = await run('beginPasskeySession', { pageOrigin: 'http://192.168.1.2:3000' });
  const message = 'Passkeys require HTTPS with a host name, or localhost';
  assert.deepEqual(begun, { ok: false, error: { kind: 'bad request', message } });
});

test('a passkey opens a session; the sign-in is audited with its name, and no failure is counted', async (t) => {
  const { signIn, deps, store, home, clock, failures } = await openPasskey(t);
  const result = await signIn();
  assert.ok(result.ok);
  const { access_token, member } = result.value as { access_token: string; member: { email: string } };
  assert.equal(member.email, home.email);
  const caller = await authenticate(deps, [`Bearer ${access_token}`]);
  assert.ok(caller.ok && caller.value.user === home.user);
  const [entry] = await store.read.audit.list(home.account, { limit: 1 });
  assert.deepEqual(
    [entry?.action, entry?.by, entry?.from, entry?.after],
    ['session.create', home.email, from, { passkey: 'Phone' }],
  );
  assert.equal((await store.read.passkeys.list(home.user))[0]?.lastUsedAt, clock.now);
  assert.equal(await failures(passkeyThrottleKey(from)), undefined);
  assert.equal(await failures(throttleKeys('', from).address), undefined);
});

test('a challenge is used once, and for five minutes', async (t) => {
  const { begin, signIn, clock } = await openPasskey(t);
  const options = await begin();
  assert.ok((await signIn({}, {}, options)).ok);
  assert.deepEqual(await signIn({}, {}, options), wrong);
  const late = await begin();
  clock.now += 300_000;
  assert.deepEqual(await signIn({}, {}, late), wrong);
});

test('a wrong response is refused and audited; an unknown passkey is only refused', async (t) => {
  const { signIn, store, home, passkey, audit, failures } = await openPasskey(t);
  assert.deepEqual(await signIn({}, { userHandle: 'b3RoZXI' }), wrong);
  assert.deepEqual(await signIn({}, { isVerified: false }), wrong);
  assert.deepEqual(await audit(), ['session.refused', 'session.refused']);
  await store.inTransaction(({ passkeys }) => passkeys.remove(home.user, passkey.id));
  assert.deepEqual(await signIn(), wrong);
  assert.deepEqual(await audit(), ['session.refused', 'session.refused']);
  assert.equal(await failures(throttleKeys('', from).address), 3);
});

test('a passkey of another host name is refused', async (t) => {
  const { signIn, store, home, passkey } = await openPasskey(t);
  await store.inTransaction(async ({ passkeys }) => {
    await passkeys.remove(home.user, passkey.id);
    await passkeys.add({ ...passkey, rpId: 'other.example' });
  });
  assert.deepEqual(await signIn(), wrong);
});

test('the first account is opened, or the given one, and not a suspended one', async (t) => {
  const { account, signIn, store, home } = await openPasskey(t);
  const other = await account('other');
  const accountOf = async (body: object) => {
    const result = await signIn(body);
    return result.ok && (result.value as { member: { role: string } }).member.role;
  };
  const join = { account: other.account, id: home.user, role: 'viewer', createdAt: 2000 } as const;
  const refused = await signIn({ account_id: other.account });
  assert.ok(!refused.ok && refused.error.kind === 'invalid');
  assert.equal(refused.error.errors[0]?.field, 'account_id');
  await store.inTransaction(({ users }) => users.join(join));
  assert.deepEqual([await accountOf({}), await accountOf({ account_id: other.account })], ['owner', 'viewer']);
  const suspend = (word: string) =>
    store.inTransaction(({ accounts }) => accounts.update(accountNamed(word, { isSuspended: true })));
  await suspend('home');
  assert.equal(await accountOf({}), 'viewer');
  await suspend('other');
  assert.deepEqual(await signIn(), wrong);
});

test('many starts without a sign-in are delayed', async (t) => {
  const { begin, run, clock } = await openPasskey(t);
  for (let start = 0; start < 5; start++) await begin();
  const limited = { ok: false, error: { kind: 'slow down', retryAfterSeconds: 1 } };
  assert.deepEqual(await run('beginPasskeySession', {}), limited);
  clock.now += 1000;
  await begin();
});

test('a page gets a cookie, for as long as the user and the operator want', async (t) => {
  const cookieWith = async (sessionKeepDays: number, body: object) => {
    const { signIn, input } = await openPasskey(t, { sessionKeepDays });
    input.inCookie = 'secure';
    const result = await signIn(body);
    assert.ok(result.ok && isRaw(result.value));
    return /Max-Age=(\d+)/.exec(result.value.headers['set-cookie']!)?.[1];
  };
  assert.equal(await cookieWith(30, {}), '43200');
  assert.equal(await cookieWith(30, { keep_signed_in: true }), '34560000');
  assert.equal(await cookieWith(0, { keep_signed_in: true }), '43200');
});

test('a refused sign-in is documented with the form of its response', () => {
  const { answers } = passkeySignInOperations.find(({ operationId }) => operationId === 'createPasskeySession')!;
  assert.deepEqual(answers[401]?.content, { 'application/json': AccessTokenErrorResponse });
  assert.ok(answers[200] && answers[429]);
});
