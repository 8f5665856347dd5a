import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, openApi } from '../../test/support/api.ts';
import { keyOf } from '../../test/support/store/accounts.ts';
import type { AccountId } from '../domain/ids.ts';
import { hashOf, issue } from '../operations/new-secrets.ts';
import { authenticate, type Caller, forbiddenReason, inAccount } from './authenticate.ts';
import { openSession, type SessionKind } from './sign-in.ts';

const IDLE_MS = 30 * 60_000;

async function keyFor({ deps, store }: Api, word: string): Promise<string> {
  const { secret, hash } = issue(deps, 'api key');
  await store.inTransaction(({ keys }) => keys.add(keyOf(word, { hash })));
  return secret;
}
const sessionFor = ({ deps, store }: Api, { account, user }: Caller, sessionKind: SessionKind) =>
  store.inTransaction((transaction) =>
    openSession(transaction, deps, { account, id: user }, { sessionKind, from: '192.0.2.1', userAgent: undefined }),
  );

test('an API key authenticates with every spelling that clients send, without a session', async (t) => {
  const api = await openApi(t, []);
  const home = await api.account('home');
  const secret = await keyFor(api, 'home');
  for (const header of [`ApiKey ${secret}`, `Bearer ${secret}`]) {
    const caller = await authenticate(api.deps, [header]);
    assert.ok(caller.ok, header);
    const { account, by, session } = caller.value;
    assert.deepEqual([account, by, session], [home.account, 'key script', undefined]);
  }
});

test('missing, several, malformed and unknown credentials are refused', async (t) => {
  const api = await openApi(t, []);
  await api.account('home');
  const secret = await keyFor(api, 'home');
  const why = async (...headers: readonly string[]) => {
    const result = await authenticate(api.deps, headers);
    return !result.ok && result.error.kind === 'unauthorized' ? result.error.why : result;
  };
  assert.equal(await why(), 'no credentials');
  for (const headers of [
    [`ApiKey ${secret}`, `ApiKey ${secret}`],
    ['Basic x'],
    ['ApiKey'],
    [`ApiKey ${secret}x`],
    ['Bearer nothing'],
    [`ApiKey ${hashOf(api.deps, secret)}`],
  ])
    assert.equal(await why(...headers), 'wrong credentials', headers[0]);
});

test('a token is valid until it expires, and that of a page until the page is idle', async (t) => {
  const api = await openApi(t, []);
  const home = await api.account('home');
  const page = await sessionFor(api, home, { kind: 'page', isPersistent: false });
  const program = await sessionFor(api, home, { kind: 'own program' });
  const isValid = async (secret: string): Promise<boolean> => (await authenticate(api.deps, [`Bearer ${secret}`])).ok;
  assert.ok((await isValid(page.accessToken)) && (await isValid(program.accessToken)));
  assert.equal(await isValid(program.refreshToken), false);
  assert.equal((await authenticate(api.deps, [`ApiKey ${page.accessToken}`])).ok, false);
  api.clock.now += IDLE_MS - 1;
  assert.ok(await isValid(page.accessToken));
  api.clock.now += IDLE_MS;
  assert.deepEqual([await isValid(page.accessToken), await isValid(program.accessToken)], [false, true]);
  api.clock.now += program.expiresInSeconds * 1000;
  assert.equal(await isValid(program.accessToken), false);
});

test('credentials of a suspended account are refused', async (t) => {
  const api = await openApi(t, []);
  const home = await api.account('home');
  const secret = await keyFor(api, 'home');
  const { accessToken } = await sessionFor(api, home, { kind: 'own program' });
  const account = (await api.store.read.accounts.find(home.account))!;
  await api.store.inTransaction(({ accounts }) => accounts.update({ ...account, isSuspended: true }));
  for (const header of [`ApiKey ${secret}`, `Bearer ${accessToken}`])
    assert.equal((await authenticate(api.deps, [header])).ok, false);
});

test('a signed-in user may choose another account of the user; keys and apps may not', async (t) => {
  const api = await openApi(t, []);
  const [home, other, third] = [await api.account('home'), await api.account('other'), await api.account('third')];
  await api.store.inTransaction(({ users }) =>
    users.join({ account: other.account, id: home.user, role: 'viewer', createdAt: 1 }),
  );
  const callerFor = async (kind: SessionKind): Promise<Caller> => {
    const caller = await authenticate(api.deps, [`Bearer ${(await sessionFor(api, home, kind)).accessToken}`]);
    assert.ok(caller.ok);
    return caller.value;
  };
  const own = await callerFor({ kind: 'own program' });
  const chosen = await inAccount(api.deps, own, other.account);
  assert.ok(chosen.ok);
  // Without a session: managing access requires one of that account.
  assert.deepEqual(
    [chosen.value.account, chosen.value.role, chosen.value.session],
    [other.account, 'viewer', undefined],
  );
  assert.deepEqual(await inAccount(api.deps, own, undefined), { ok: true, value: own });
  for (const [caller, account] of [
    [own, third.account],
    [own, 'missing' as AccountId],
    [home, other.account],
    [await callerFor({ kind: 'client', id: 'router' }), other.account],
  ] as const)
    assert.equal((await inAccount(api.deps, caller, account)).ok, false, account);
});

test('each role and credential may do what an operation requires; a refusal has its reason', () => {
  const caller = (role: string, session?: string) => ({ role, session }) as Caller;
  const why = (...given: Parameters<typeof forbiddenReason>) => {
    const reason = forbiddenReason(...given);
    return reason?.kind === 'forbidden' ? reason.why : undefined;
  };
  assert.equal(why(caller('viewer'), 'reader'), undefined);
  assert.match(why(caller('viewer', 's'), 'writer')!, /role/);
  assert.equal(why(caller('admin'), 'writer'), undefined);
  assert.match(why(caller('owner'), 'self')!, /signed-in user/);
  assert.equal(why(caller('viewer', 's'), 'self'), undefined);
  assert.match(why(caller('owner'), 'manager')!, /signed-in user/);
  assert.match(why(caller('viewer', 's'), 'manager')!, /role/);
  assert.equal(why(caller('owner', 's'), 'manager'), undefined);
});
