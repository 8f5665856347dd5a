import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { userId, userNamed } from '../../test/support/store/accounts.ts';
import { authenticate } from './authenticate.ts';
import { invitationOperations } from './invitations.ts';

const DAY = 86_400_000;

async function openInvitations(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, invitationOperations);
  const home = await api.account('home');
  const invite = async (email: string, role = 'viewer') =>
    (await api.done('createInvitation', home, { body: { email, role } })).reply;
  const accept = (token: string, password = 'a long new password') =>
    api.callPublic('acceptInvitation', { body: { token, password } });
  return { ...api, home, invite, accept };
}
const fieldOf = (result: { ok: boolean; error?: { kind: string } }): unknown =>
  !result.ok &&
  result.error!.kind === 'invalid' &&
  (result.error as never as { errors: { field: string }[] }).errors[0]!.field;

test('an accepted invitation makes a member with its role, signed in, and is used up', async (t) => {
  const { home, invite, accept, store, deps, done } = await openInvitations(t);
  const { id, token } = await invite('New@Example.org', 'admin');
  const accepted = await accept(token);
  assert.ok(accepted.ok);
  const caller = await authenticate(deps, [`Bearer ${accepted.value.access_token}`]);
  assert.ok(caller.ok);
  assert.deepEqual(
    [caller.value.account, caller.value.email, caller.value.role],
    [home.account, 'new@example.org', 'admin'],
  );
  assert.deepEqual((await done('listInvitations', home)).reply, []);
  assert.equal(fieldOf(await accept(token)), 'token');
  const [entry] = await store.read.audit.list(home.account, { limit: 1, before: undefined });
  assert.deepEqual([entry!.action, entry!.by], ['member.create', 'new@example.org']);
  assert.notEqual(id, token);
});

test('an invitation is rejected after a week, after it was revoked, or with a weak password', async (t) => {
  const { home, invite, accept, clock, done, call } = await openInvitations(t);
  const { id, token } = await invite('new@example.org');
  assert.equal(fieldOf(await accept(token, 'short')), 'password');
  const other = await invite('other@example.org');
  clock.now += 7 * DAY - 1;
  assert.equal((await done('listInvitations', home)).reply.length, 2);
  await done('removeInvitation', home, { params: { invitation_id: id } });
  assert.equal(fieldOf(await accept(token)), 'token');
  assert.equal((await call('removeInvitation', home, { params: { invitation_id: id } })).ok, false);
  clock.now += 2;
  assert.equal(fieldOf(await accept(other.token)), 'token');
});

test('a user of another account joins with the password that they have', async (t) => {
  const { home, account, invite, accept, store } = await openInvitations(t);
  const other = await account('other');
  const { token } = await invite(other.email);
  assert.equal((await accept(token)).ok, false);
  assert.ok((await accept(token, PASSWORD)).ok);
  const emails = (await store.read.users.members(home.account)).map(({ email }) => email).sort();
  assert.deepEqual(emails, [home.email, other.email]);
});

test('a role above that of the inviting member, a member and an invalid address are refused', async (t) => {
  const { home, store, call } = await openInvitations(t);
  await store.inTransaction(({ users }) => users.add(userNamed('admin', { account: home.account, role: 'admin' })));
  const admin = { ...home, user: userId('admin'), role: 'admin' as const };
  const invited = (caller: typeof admin | typeof home, email: string, role: string) =>
    call('createInvitation', caller, { body: { email, role } });
  const higher = await invited(admin, 'new@example.org', 'owner');
  assert.equal(!higher.ok && higher.error.kind, 'forbidden');
  assert.equal(fieldOf(await invited(home, home.email, 'viewer')), 'email');
  assert.equal(fieldOf(await invited(home, 'no address', 'viewer')), 'email');
  assert.ok((await invited(home, 'new@example.org', 'owner')).ok);
});

test('an account has at most 100 pending invitations, and sees and revokes only its own', async (t) => {
  const { home, account, invite, call, done } = await openInvitations(t);
  const { id } = await invite('0@example.org');
  for (let count = 1; count < 100; count++) await invite(`${count}@example.org`);
  const refused = await call('createInvitation', home, { body: { email: 'more@example.org', role: 'viewer' } });
  assert.equal(fieldOf(refused), 'email');
  const other = await account('other');
  assert.deepEqual((await done('listInvitations', other)).reply, []);
  assert.equal((await call('removeInvitation', other, { params: { invitation_id: id } })).ok, false);
});
