import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { invitationOf } from '../../test/support/store/accounts.ts';
import { throttleKeys } from '../domain/login-throttle.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { authenticate } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { joinAccount } from './join-account.ts';

async function openInvited(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, []);
  const { clock, deps, store } = api;
  const [home, guest] = [await api.account('home'), await api.account('guest')];
  const invitation = { ...invitationOf('home'), email: guest.email, expiresAt: clock.now + 1000 };
  const invite = () => store.inTransaction(({ invitations }) => invitations.add(invitation));
  await invite();
  const join = (changes: Partial<Parameters<typeof joinAccount>[1]> = {}) => {
    const given = { password: PASSWORD, from: '192.0.2.1', userAgent: undefined, inCookie: undefined };
    return joinAccount(deps, { ...given, hash: invitation.hash, ...changes }, guest.email);
  };
  const open = async () => (await store.read.invitations.list(home.account)).map(({ id }) => id);
  const lastAudit = async (account: typeof home) => (await store.read.audit.list(account.account, { limit: 1 }))[0];
  return { ...api, home, guest, invitation, invite, join, open, lastAudit };
}
const wrongSignIn = { ok: false, error: { kind: 'unauthorized', why: 'wrong sign-in' } };
const invalidToken = (message: string) => ({
  ok: false,
  error: { kind: 'invalid', errors: [{ field: 'token', kind: 'wrong value', message }] },
});

test('the user becomes a member with the role of the invitation, which is used up', async (t) => {
  const { join, open, lastAudit, deps, clock, home, guest } = await openInvited(t);
  const joined = await join();
  assert.ok(joined.ok && 'access_token' in joined.value);
  assert.deepEqual(joined.value.member, {
    id: guest.user,
    email: guest.email,
    role: 'viewer',
    second_factor_enabled: false,
    created_millis: clock.now,
  });
  const caller = await authenticate(deps, [`Bearer ${joined.value.access_token}`]);
  assert.ok(caller.ok);
  assert.deepEqual([caller.value.account, caller.value.role], [home.account, 'viewer']);
  assert.deepEqual(await open(), []);
  const entry = await lastAudit(home);
  assert.deepEqual(
    [entry?.action, entry?.subject, entry?.by, entry?.from, entry?.after],
    ['member.create', guest.user, guest.email, '192.0.2.1', { email: guest.email, role: 'viewer' }],
  );
});

test('the attempt is refunded, and a recovery code is consumed', async (t) => {
  const { join, deps, store, guest } = await openInvited(t);
  await store.inTransaction(async ({ users }) => {
    const user = (await users.find(guest.account, guest.user))!;
    const recoveryCodeHashes = [hashOf(deps, 'ABCDEFGHIJKLMNOP'), 'another hash'];
    await users.update({ ...user, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', recoveryCodeHashes });
  });
  assert.ok((await join({ code: 'ABCD-EFGH-IJKL-MNOP' })).ok);
  const user = await store.read.users.find(guest.account, guest.user);
  assert.deepEqual(user?.recoveryCodeHashes, ['another hash']);
  assert.equal(await store.read.throttles.get(throttleKeys(guest.email, '192.0.2.1').address), undefined);
});

test('with a cookie the response has no tokens', async (t) => {
  const { join } = await openInvited(t);
  const joined = await join({ inCookie: 'secure' });
  assert.ok(joined.ok && 'headers' in joined.value);
  assert.match(joined.value.headers['set-cookie']!, /^__Host-weir-session=.+; Secure$/);
  assert.ok(Buffer.isBuffer(joined.value.content));
  assert.deepEqual(Object.keys(JSON.parse(joined.value.content.toString())), ['expires_in', 'member']);
});

test('a wrong password joins nothing, and the account of the user has an entry about it', async (t) => {
  const { join, open, lastAudit, guest, invitation } = await openInvited(t);
  assert.deepEqual(await join({ password: 'wrong' }), wrongSignIn);
  assert.deepEqual(await open(), [invitation.id]);
  assert.equal((await lastAudit(guest))?.action, 'session.refused');
});

test('a password that is changed while it is checked is wrong', async (t) => {
  const { deps, store, guest, invitation, open } = await openInvited(t);
  const passwords: Deps['passwords'] = {
    ...deps.passwords,
    verify: async (...asked) => {
      const verdict = await deps.passwords.verify(...asked);
      const user = (await store.read.users.find(guest.account, guest.user))!;
      await store.inTransaction(({ users }) => users.update({ ...user, passwordHash: 'another hash' }));
      return verdict;
    },
  };
  const given = { hash: invitation.hash, password: PASSWORD, from: '192.0.2.1', userAgent: undefined };
  assert.deepEqual(
    await joinAccount({ ...deps, passwords }, { ...given, inCookie: undefined }, guest.email),
    wrongSignIn,
  );
  assert.deepEqual(await open(), [invitation.id]);
});

test('an unknown, an expired and a used invitation are errors of the token', async (t) => {
  const { join, clock, open, invitation } = await openInvited(t);
  const invalid = invalidToken('is invalid, used, revoked or expired');
  assert.deepEqual(await join({ hash: 'unknown' }), invalid);
  clock.now += 1000;
  assert.deepEqual(await join(), invalid);
  assert.deepEqual(await open(), [invitation.id]);
  clock.now -= 1000;
  assert.ok((await join()).ok);
  assert.deepEqual(await join(), invalid);
});

test('a member cannot join again', async (t) => {
  const { join, invite, open, invitation } = await openInvited(t);
  assert.ok((await join()).ok);
  await invite();
  assert.deepEqual(await join(), invalidToken('You are already a member of the account'));
  assert.deepEqual(await open(), [invitation.id]);
});

test('two-factor authentication is required here too; a wrong code is audited', async (t) => {
  const { join, store, guest, open, lastAudit, invitation } = await openInvited(t);
  await store.inTransaction(async ({ users }) => {
    const user = (await users.find(guest.account, guest.user))!;
    await users.update({ ...user, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
  });
  assert.deepEqual(await join(), { ok: false, error: { kind: 'unauthorized', why: '2fa required' } });
  assert.equal(await lastAudit(guest), undefined);
  assert.deepEqual(await join({ code: '000' }), wrongSignIn);
  assert.equal((await lastAudit(guest))?.action, 'session.refused');
  for (let wrong = 1; wrong < 5; wrong++) await join({ code: '000', from: `198.51.100.${wrong}` });
  const limited = await join({ code: '000', from: '198.51.100.9' });
  assert.deepEqual(limited, { ok: false, error: { kind: 'slow down', retryAfterSeconds: 1 } });
  assert.deepEqual(await open(), [invitation.id]);
});
