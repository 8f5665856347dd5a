import assert from 'node:assert/strict';
import {
  accessTokenOf,
  accountId,
  keyOf,
  newAccount,
  sessionOf,
  userId,
  userNamed,
} from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { Store } from './store.ts';

const [anna, ben] = [accountId('anna'), accountId('ben')];
const annaHerself = userId('anna');
const byOperator = { id: 'deletion', at: 9000, by: 'operator' };

/** Two accounts; Anna is also an admin of Ben's, with a session and a key there. */
async function withGuest(store: Store): Promise<void> {
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.accounts.create(newAccount('ben', 0xb0));
    assert.ok((await tx.users.join({ account: ben, id: annaHerself, role: 'admin', createdAt: 2000 })).ok);
    await tx.tokens.addSession({ ...sessionOf('anna'), account: ben });
    await tx.tokens.addAccess({ ...accessTokenOf('anna'), account: ben }, 3000);
    await tx.keys.add({ ...keyOf('anna'), account: ben });
  });
}

const credentials = async ({ read }: Store) => [
  (await read.tokens.accessByHash('access hash anna', 0))?.role,
  (await read.tokens.sessionByRefreshHash('refresh hash anna'))?.role,
  (await read.keys.byHash('key hash anna'))?.role,
];

onBoth('a guest has a role of its own in the account, with the same credentials', async (store) => {
  await withGuest(store);
  const { read } = store;
  const guest = userNamed('anna', { account: ben, role: 'admin', createdAt: 2000 });
  assert.deepEqual(await read.users.find(ben, annaHerself), guest);
  assert.equal((await read.users.find(anna, annaHerself))!.role, 'owner');
  assert.deepEqual(await read.users.accounts(annaHerself), [anna, ben]);
  assert.deepEqual(
    (await read.users.members(ben)).map(({ id }) => id),
    [userId('ben'), annaHerself],
  );
  assert.equal((await read.users.members(anna)).length, 1);
  assert.deepEqual(await credentials(store), ['admin', 'admin', 'admin']);
  const again = await store.inTransaction((tx) =>
    tx.users.join({ account: ben, id: annaHerself, role: 'owner', createdAt: 3000 }),
  );
  assert.equal(again.ok, false);

  await store.inTransaction((tx) => tx.users.update({ ...guest, role: 'viewer', passwordHash: 'new' }));
  assert.deepEqual(await credentials(store), ['viewer', 'viewer', 'viewer']);
  assert.deepEqual(await read.users.byEmail('anna@example.org'), userNamed('anna', { passwordHash: 'new' }));
});

onBoth('a removed guest loses keys and sessions there, and stays in the first account', async (store) => {
  await withGuest(store);
  assert.equal(await store.inTransaction((tx) => tx.users.remove(ben, annaHerself)), true);
  assert.deepEqual(await credentials(store), [undefined, undefined, undefined]);
  assert.equal(await store.read.users.find(ben, annaHerself), undefined);
  assert.deepEqual(await store.read.users.accounts(annaHerself), [anna]);
  assert.equal(await store.inTransaction((tx) => tx.users.remove(ben, annaHerself)), false);
});

onBoth('a user who is removed from the first account stays in the others', async (store) => {
  await withGuest(store);
  assert.equal(await store.inTransaction((tx) => tx.users.remove(anna, annaHerself)), true);
  assert.deepEqual(await store.read.users.accounts(annaHerself), [ben]);
  assert.equal((await store.read.users.byEmail('anna@example.org'))!.role, 'admin');
  assert.deepEqual(await credentials(store), ['admin', 'admin', 'admin']);
  assert.equal(await store.inTransaction((tx) => tx.users.remove(ben, annaHerself)), true);
  assert.equal(await store.read.users.byEmail('anna@example.org'), undefined);
});

onBoth('the deletion of an account leaves its users in their other accounts, and removes its guests', async (store) => {
  await withGuest(store);
  await store.inTransaction((tx) => tx.accounts.remove(anna, byOperator));
  assert.deepEqual(await store.read.users.accounts(annaHerself), [ben]);
  assert.deepEqual(await credentials(store), ['admin', 'admin', 'admin']);
  await store.inTransaction((tx) => tx.accounts.remove(ben, { ...byOperator, id: 'second' }));
  assert.equal(await store.read.users.byEmail('anna@example.org'), undefined);
});

onBoth('a new password ends the sessions in all accounts', async (store) => {
  await withGuest(store);
  await store.inTransaction((tx) => tx.tokens.removeOfUser(anna, annaHerself));
  assert.deepEqual(await credentials(store), [undefined, undefined, 'admin']);
});
