import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { throttleKeys } from '../domain/login-throttle.ts';
import type { Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { authenticate, type Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { type Changed, isRaw } from './operation.ts';
import { sessionOperations } from './session-routes.ts';
import { AccessTokenErrorResponse } from './wire/errors.ts';

const from = '192.0.2.1';
const NEW_PASSWORD = 'another horse, another staple';
type Opened = { readonly access_token: string; readonly expires_in: number; readonly member: object };
type Cookies = { readonly inCookie?: 'secure' | 'plain' };

const handlerOf = (operationId: string) => sessionOperations.find((each) => each.operationId === operationId)!.handler;

async function openSessions(t: { after(end: () => unknown): void }, given: Partial<Deps> = {}) {
  const api = await openApi(t, sessionOperations, given);
  const { deps, store } = api;
  const home = await api.account('home');
  const create = (body: object = {}, cookies: Cookies = {}): Promise<Result<unknown, ApiError>> => {
    const { run, kind } = handlerOf('createSession') as Extract<ReturnType<typeof handlerOf>, { kind: 'public' }>;
    assert.equal(kind, 'public');
    const whole = { email: home.email, password: PASSWORD, ...body };
    return run(deps, { body: whole, from, userAgent: 'curl/8.5.0', inCookie: undefined, ...cookies } as never);
  };
  const created = async (body: object = {}): Promise<Opened> => {
    const result = await create(body);
    assert.ok(result.ok, JSON.stringify(result));
    return result.value as Opened;
  };
  /** The cookie of a new session, and the JSON beside it. */
  const cookieFor = async (body: object, inCookie: 'secure' | 'plain') => {
    const result = await create(body, { inCookie });
    assert.ok(result.ok && isRaw(result.value));
    const { headers, content } = result.value;
    assert.ok(Buffer.isBuffer(content));
    return { cookie: headers['set-cookie']!, json: JSON.parse(content.toString()) };
  };
  const callerOf = async (token: string): Promise<Caller> => {
    const caller = await authenticate(deps, [`Bearer ${token}`]);
    assert.ok(caller.ok);
    return caller.value;
  };
  /** Calls a mutation with the parts of a request that `openApi` does not have. */
  const mutate = async (operationId: string, input: object): Promise<Result<Changed<unknown>, ApiError>> => {
    const handler = handlerOf(operationId);
    assert.ok(handler.kind === 'mutation');
    const whole = { from, userAgent: undefined, inCookie: undefined, ...input } as never;
    const prepared = await handler.prepare?.(deps, whole);
    if (prepared?.ok === false) return prepared;
    return store.inTransaction((transaction) => handler.run(transaction, whole, deps, prepared?.value as never));
  };
  const sessions = () => store.read.tokens.sessions(home.account, home.user);
  return { ...api, home, create, created, cookieFor, callerOf, mutate, sessions };
}
const changeTo = (new_password: string, current_password = PASSWORD) => ({ body: { current_password, new_password } });

test('a program gets both tokens for a month, and no idle timeout', async (t) => {
  const { created, home, sessions } = await openSessions(t);
  const { member, ...rest } = await created();
  assert.deepEqual(Object.keys(rest), ['access_token', 'refresh_token', 'expires_in']);
  assert.equal(rest.expires_in, 2_592_000);
  assert.deepEqual(member, {
    id: home.user,
    email: home.email,
    role: 'owner',
    second_factor_enabled: false,
    created_millis: 1000,
  });
  const [session] = await sessions();
  assert.deepEqual([session?.userAgent, session?.address, session?.rotates], ['curl/8.5.0', from, false]);
});

test('a client may ask for a refresh token that rotates', async (t) => {
  const { created, sessions } = await openSessions(t);
  await created({ rotate_refresh_token: true });
  assert.equal((await sessions())[0]?.rotates, true);
});

test('a page gets a cookie and no tokens; a persistent session has a longer cookie and no idle timeout', async (t) => {
  const { cookieFor } = await openSessions(t);
  const short = await cookieFor({}, 'plain');
  assert.match(short.cookie, /^weir-session=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  assert.deepEqual(Object.keys(short.json), ['expires_in', 'member']);
  assert.equal(short.json.member.session_idle_minutes, 30);
  const long = await cookieFor({ keep_signed_in: true }, 'secure');
  assert.match(long.cookie, /^__Host-weir-session=.+; Max-Age=34560000; Secure$/);
  assert.equal('session_idle_minutes' in long.json.member, false);
});

test('where the operator does not allow it, a user does not stay signed in', async (t) => {
  const { cookieFor } = await openSessions(t, { sessionKeepDays: 0 });
  assert.match((await cookieFor({ keep_signed_in: true }, 'plain')).cookie, /Max-Age=43200$/);
});

test('a wrong password, and an account of others, open no session', async (t) => {
  const { account, create, sessions } = await openSessions(t);
  const other = await account('other');
  const wrong = { ok: false, error: { kind: 'unauthorized', why: 'wrong sign-in' } };
  assert.deepEqual(await create({ password: 'wrong' }), wrong);
  const elsewhere = await create({ account_id: other.account });
  assert.ok(!elsewhere.ok && elsewhere.error.kind === 'invalid');
  assert.equal(elsewhere.error.errors[0]?.field, 'account_id');
  assert.deepEqual(await sessions(), []);
});

test('with two-factor authentication a code is required', async (t) => {
  const { create, deps, home, store } = await openSessions(t);
  const user = (await store.read.users.find(home.account, home.user))!;
  const recoveryCodeHashes = [hashOf(deps, 'ABCDEFGHIJKLMNOP')];
  const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  await store.inTransaction(({ users }) => users.update({ ...user, totpSecret, recoveryCodeHashes }));
  assert.deepEqual(await create(), { ok: false, error: { kind: 'unauthorized', why: '2fa required' } });
  assert.ok((await create({ code: 'ABCD-EFGH-IJKL-MNOP' })).ok);
});

test('the current user has the idle timeout of the session, and an API key has none', async (t) => {
  const { cookieFor, callerOf, done, call, home } = await openSessions(t);
  const { cookie } = await cookieFor({}, 'plain');
  const page = await callerOf(/=([\w-]+);/.exec(cookie)![1]!);
  assert.equal((await done('getSession', page)).reply.session_idle_minutes, 30);
  const { reply } = await done('getSession', home);
  assert.deepEqual([reply.email, 'session_idle_minutes' in reply], [home.email, false]);
  const gone = await call('getSession', { ...home, user: 'gone' as typeof home.user });
  assert.deepEqual(gone, { ok: false, error: { kind: 'not found', what: 'member' } });
});

test('signing out ends only this session, and deletes the cookie if there is one', async (t) => {
  const { created, callerOf, mutate, sessions } = await openSessions(t);
  const [first, second] = [await created(), await created()];
  const program = await mutate('removeSession', { caller: await callerOf(first.access_token) });
  assert.deepEqual(program, { ok: true, value: { reply: undefined, audit: { action: 'session.end' } } });
  assert.equal((await sessions()).length, 1);
  const page = await mutate('removeSession', { caller: await callerOf(second.access_token), inCookie: 'secure' });
  assert.ok(page.ok && isRaw(page.value.reply));
  assert.match(page.value.reply.headers['set-cookie']!, /^__Host-weir-session=; .*Max-Age=0; Secure$/);
  assert.deepEqual(await sessions(), []);
});

test('a new password ends all sessions and opens one, which lasts as long as the one that changed it', async (t) => {
  const { cookieFor, callerOf, created, mutate, sessions, create, store, home } = await openSessions(t);
  await created();
  const { cookie } = await cookieFor({ keep_signed_in: true }, 'secure');
  const caller = await callerOf(/=([\w-]+);/.exec(cookie)![1]!);
  const changed = await mutate('updatePassword', { caller, inCookie: 'secure', ...changeTo(NEW_PASSWORD) });
  assert.ok(changed.ok && isRaw(changed.value.reply));
  assert.deepEqual(changed.value.audit, { action: 'password.update', subject: caller.user });
  assert.match(changed.value.reply.headers['set-cookie']!, /Max-Age=34560000; Secure$/);
  assert.equal((await sessions()).length, 1);
  assert.equal(await store.read.throttles.get(throttleKeys(home.email, from).address), undefined);
  assert.equal((await create()).ok, false);
  assert.ok((await create({ password: NEW_PASSWORD })).ok);
});

test('errors of a new password name the field, and the password stays', async (t) => {
  const { call, create, home } = await openSessions(t);
  const fieldOf = async (input: object) => {
    const result = await call('updatePassword', home, input);
    return !result.ok && result.error.kind === 'invalid' && result.error.errors[0]?.field;
  };
  assert.equal(await fieldOf(changeTo('short')), 'new_password');
  assert.equal(await fieldOf(changeTo(home.email)), 'new_password');
  assert.equal(await fieldOf(changeTo(NEW_PASSWORD, 'wrong')), 'current_password');
  assert.ok((await create()).ok);
});

test('of two changes at the same time only the first is made', async (t) => {
  const { deps, home, store, create } = await openSessions(t);
  const handler = handlerOf('updatePassword');
  assert.ok(handler.kind === 'mutation' && handler.prepare);
  const input = { caller: home, from, userAgent: undefined, inCookie: undefined, ...changeTo(NEW_PASSWORD) } as never;
  const prepared = [await handler.prepare(deps, input), await handler.prepare(deps, input)];
  const results = [];
  for (const each of prepared) {
    assert.ok(each.ok);
    results.push(await store.inTransaction((tx) => handler.run(tx, input, deps, each.value as never)));
  }
  assert.equal(results[0]?.ok, true);
  assert.deepEqual(results[1], { ok: false, error: { kind: 'not found', what: 'member' } });
  assert.ok((await create({ password: NEW_PASSWORD })).ok);
});

test('a user signs out and changes the password only with a session', () => {
  for (const operationId of ['removeSession', 'updatePassword']) {
    const handler = handlerOf(operationId);
    assert.equal(handler.kind !== 'public' && handler.requires, 'self', operationId);
  }
});

test('a refused sign-in is documented with the form of its response', () => {
  const { answers } = sessionOperations.find(({ operationId }) => operationId === 'createSession')!;
  assert.deepEqual(answers[401]?.content, { 'application/json': AccessTokenErrorResponse });
  assert.ok(answers[200] && answers[429]);
});
