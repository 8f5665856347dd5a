import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { mySessionOperations } from './my-sessions.ts';
import { sessionOperations } from './session-routes.ts';
import { openSession } from './sign-in.ts';

async function openSessions(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...mySessionOperations, ...sessionOperations]);
  const home = await api.account('home');
  /** Signs in; returns the caller of requests with the new session. */
  const signIn = async (owner = home, isPersistent = false): Promise<Caller> => {
    const { accessToken } = await api.store.inTransaction((transaction) =>
      openSession(
        transaction,
        api.deps,
        { account: owner.account, id: owner.user },
        { sessionKind: { kind: 'page', isPersistent }, from: '192.0.2.1', userAgent: undefined },
      ),
    );
    const caller = await authenticate(api.deps, [`Bearer ${accessToken}`]);
    assert.ok(caller.ok);
    return caller.value;
  };
  return { ...api, home, signIn };
}
type Listed = { readonly id: string; readonly is_current: boolean; readonly is_persistent: boolean };
const listed = async ({ done }: Pick<Api, 'done'>, caller: Caller): Promise<readonly Listed[]> =>
  (await done('listSessions', caller)).reply;
const byId = (sessions: readonly Listed[]) => new Map(sessions.map((session) => [session.id, session]));

test('a user sees their sessions, with the current one marked, and not those of others', async (t) => {
  const api = await openSessions(t);
  const [first, second] = [await api.signIn(), await api.signIn(api.home, true)];
  const other = await api.signIn(await api.account('other'));
  const sessions = byId(await listed(api, first));
  assert.deepEqual(new Set(sessions.keys()), new Set([first.session, second.session]));
  assert.equal(sessions.get(first.session!)!.is_current, true);
  assert.equal(sessions.get(second.session!)!.is_current, false);
  assert.equal(sessions.get(second.session!)!.is_persistent, true);
  assert.equal((await listed(api, other)).length, 1);
});

test('sessions that expired are not listed; persistent ones last longer', async (t) => {
  const api = await openSessions(t);
  const [short, long] = [await api.signIn(), await api.signIn(api.home, true)];
  api.clock.now += api.deps.sessionIdleMinutes * 60_000 + 86_400_000;
  const open = (await listed(api, long)).map(({ id }) => id);
  assert.deepEqual([open.includes(short.session!), open.includes(long.session!)], [false, true]);
  api.clock.now += api.deps.sessionKeepDays * 86_400_000;
  assert.deepEqual(await listed(api, long), []);
});

test('one session or all others are ended; those of other users are not found', async (t) => {
  const api = await openSessions(t);
  const [first, second, third] = [await api.signIn(), await api.signIn(), await api.signIn()];
  const other = await api.signIn(await api.account('other'));
  const end = (session: Caller) => api.call('endSession', first, { params: { session_id: session.session } });
  assert.equal((await end(other)).ok, false);
  assert.ok((await end(second)).ok);
  assert.equal((await end(second)).ok, false);
  assert.equal((await listed(api, first)).length, 2);
  const { audit } = await api.done('endOtherSessions', first);
  assert.deepEqual(audit!.after, { sessions: 1 });
  assert.deepEqual(
    (await listed(api, first)).map(({ id }) => id),
    [first.session],
  );
  assert.equal((await listed(api, other)).length, 1);
  assert.notEqual(third.session, first.session);
});

test('the e-mail address changes with the password, unless another user has it', async (t) => {
  const api = await openSessions(t);
  const { home, account, call, done, store } = api;
  const other = await account('other');
  const change = (email: string, password = PASSWORD) =>
    call('updateEmail', home, { body: { email, current_password: password } });
  const refused = await change('new@example.org', 'wrong');
  assert.equal(!refused.ok && refused.error.kind, 'invalid');
  const taken = await change(other.email);
  assert.equal(!taken.ok && taken.error.kind, 'conflict');
  const body = { email: 'New@Example.org', current_password: PASSWORD };
  const { reply, audit } = await done('updateEmail', home, { body });
  assert.deepEqual([reply.email, audit!.before], ['new@example.org', { email: home.email }]);
  assert.equal((await store.read.users.find(home.account, home.user))!.email, 'new@example.org');
});

test('a new password ends all sessions and opens one; a weak one does not count as a failed attempt', async (t) => {
  const api = await openSessions(t);
  const caller = await api.signIn();
  await api.signIn();
  const change = (current_password: string, new_password: string) =>
    api.call('updatePassword', caller, { body: { current_password, new_password } });
  for (let attempt = 0; attempt < 12; attempt++) assert.equal((await change(PASSWORD, 'short')).ok, false);
  const wrong = await change('wrong', 'a long new password');
  assert.equal(!wrong.ok && wrong.error.kind, 'invalid');
  const changed = await change(PASSWORD, 'a long new password');
  assert.ok(changed.ok);
  const renewed = await authenticate(api.deps, [`Bearer ${changed.value.reply.access_token}`]);
  assert.ok(renewed.ok);
  assert.deepEqual(
    (await listed(api, renewed.value)).map(({ is_current }) => is_current),
    [true],
  );
});

test('signing out ends the session of the request', async (t) => {
  const api = await openSessions(t);
  const [caller, other] = [await api.signIn(), await api.signIn()];
  await api.done('removeSession', caller);
  assert.deepEqual(
    (await listed(api, other)).map(({ id }) => id),
    [other.session],
  );
});
