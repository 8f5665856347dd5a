import assert from 'node:assert/strict';
import { accessTokenOf, accountId, keyOf, sessionOf, userId, userNamed } from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';
import type { UserId } from '../domain/ids.ts';

const anna = accountId('anna');

onBoth('a person is found by e-mail address in any case, and changed', async (store) => {
  const { owner } = await addAnna(store);
  const changed = { ...owner, totpSecret: 'SECRET', totpLastStep: 55_000_000, recoveryCodeHashes: ['a', 'b'] };
  assert.equal(await store.inTransaction((tx) => tx.users.update(changed)), true);
  assert.deepEqual(await store.read.users.byEmail('ANNA@example.ORG'), changed);
  assert.deepEqual(await store.read.users.find(anna, userId('anna')), changed);
});

onBoth('a change to an address that another has is refused as a fault', async (store) => {
  const { owner } = await addAnna(store);
  const carl = userNamed('carl', { account: anna, role: 'viewer' });
  assert.deepEqual(await store.inTransaction((tx) => tx.users.add(carl)), { ok: true, value: undefined });
  const update = store.inTransaction((tx) => tx.users.update({ ...carl, email: owner.email }));
  await assert.rejects(update, { name: 'StoreError', kind: 'taken' });
});

onBoth('with a person go the keys and tokens', async (store) => {
  await addAnna(store);
  await store.inTransaction(async (tx) => {
    await tx.users.add(userNamed('carl', { account: anna, role: 'viewer' }));
    await tx.keys.add(keyOf('anna', { user: 'user-carl' as UserId }));
    await tx.tokens.addSession({ ...sessionOf('anna'), user: 'user-carl' as UserId });
    await tx.tokens.addAccess({ ...accessTokenOf('anna'), user: 'user-carl' as UserId }, 2000);
  });
  assert.equal((await store.read.keys.byHash('key hash anna'))?.role, 'viewer');
  assert.equal(await store.inTransaction((tx) => tx.users.remove(anna, 'user-carl' as UserId)), true);
  assert.equal(await store.read.keys.byHash('key hash anna'), undefined);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
});
