import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { keyOf, userId, userNamed } from '../../test/support/store/accounts.ts';
import { memberOperations } from './members.ts';

async function openMembers(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, memberOperations);
  const [owner, other] = [await api.account('home'), await api.account('other')];
  const roles = { admin: 'admin', viewer: 'viewer' } as const;
  for (const [word, role] of Object.entries(roles))
    await api.store.inTransaction(({ users }) => users.add(userNamed(word, { account: owner.account, role })));
  const as = (word: keyof typeof roles) => ({ ...owner, user: userId(word), role: roles[word] });
  const roleOf = async (word: string): Promise<string | undefined> =>
    (await api.store.read.users.find(owner.account, userId(word)))?.role;
  return { ...api, owner, other, admin: as('admin'), viewer: as('viewer'), roleOf };
}
const member = (word: string, role?: string) => ({ params: { member_id: userId(word) }, body: role && { role } });

test('members of the account are listed, and no others', async (t) => {
  const { owner, other, done } = await openMembers(t);
  const emails = async (caller: typeof owner) =>
    (await done('listMembers', caller)).reply.map(({ email }: { email: string }) => email.split('@')[0]).sort();
  assert.deepEqual(await emails(owner), ['admin', 'home', 'viewer']);
  assert.deepEqual(await emails(other), ['other']);
});

test('a role is changed by those who have it, and audited; the last owner stays', async (t) => {
  const { owner, admin, call, done, roleOf } = await openMembers(t);
  const { audit } = await done('updateMember', owner, member('viewer', 'admin'));
  assert.deepEqual(
    [audit!.before, audit!.after, await roleOf('viewer')],
    [{ role: 'viewer' }, { role: 'admin' }, 'admin'],
  );
  assert.equal((await call('updateMember', admin, member('viewer', 'owner'))).ok, false);
  assert.equal((await call('updateMember', admin, member('home', 'viewer'))).ok, false);
  assert.equal((await call('updateMember', owner, member('home', 'admin'))).ok, false);
  assert.deepEqual([await roleOf('home'), await roleOf('viewer')], ['owner', 'admin']);
});

test('members may leave, managers remove others with their keys, and the last owner cannot be removed', async (t) => {
  const { owner, admin, viewer, other, call, done, store, roleOf } = await openMembers(t);
  await store.inTransaction(({ keys }) => keys.add(keyOf('home', { user: userId('admin') })));
  assert.equal((await call('removeMember', viewer, member('admin'))).ok, false);
  assert.equal((await call('removeMember', other, member('admin'))).ok, false);
  assert.equal((await call('removeMember', admin, member('home'))).ok, false);
  assert.equal((await call('removeMember', owner, member('home'))).ok, false);
  await done('removeMember', viewer, member('viewer'));
  await done('removeMember', owner, member('admin'));
  assert.deepEqual(
    [await roleOf('viewer'), await roleOf('admin'), await roleOf('home')],
    [undefined, undefined, 'owner'],
  );
  assert.deepEqual(await store.read.keys.list(owner.account), []);
});
