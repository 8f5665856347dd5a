import assert from 'node:assert/strict';
import { accountId, passkeyOf, userId } from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';

const passkey = passkeyOf('anna');
const user = userId('anna');

onBoth('a passkey comes back as it was given, and a credential belongs to one user', async (store) => {
  await addAnna(store);
  const add = () => store.inTransaction((tx) => tx.passkeys.add(passkey));
  assert.deepEqual(await add(), { ok: true, value: undefined });
  assert.deepEqual(await add(), { ok: false, error: { kind: 'conflict', what: 'id' } });
  assert.deepEqual(await store.read.passkeys.byCredential(passkey.credential), passkey);
  assert.deepEqual(await store.read.passkeys.list(user), [passkey]);
  assert.deepEqual(await store.read.passkeys.list(userId('ben')), []);
});

onBoth('of two sign-ins with one counter one succeeds', async (store) => {
  await addAnna(store);
  await store.inTransaction((tx) => tx.passkeys.add(passkey));
  const use = (counter: number) => store.inTransaction((tx) => tx.passkeys.use(passkey, counter, 5000));
  assert.deepEqual([await use(7), await use(8)], [true, false]);
  const stored = await store.read.passkeys.byCredential(passkey.credential);
  assert.deepEqual([stored?.counter, stored?.lastUsedAt], [7, 5000]);
});

onBoth('only its user renames and removes a passkey, and it is removed with the user', async (store) => {
  await addAnna(store);
  await store.inTransaction((tx) => tx.passkeys.add(passkey));
  const [own, other] = [user, userId('ben')].map((by) => ({
    rename: () => store.inTransaction((tx) => tx.passkeys.rename(by, passkey.id, 'Key')),
    remove: () => store.inTransaction((tx) => tx.passkeys.remove(by, passkey.id)),
  }));
  assert.deepEqual([await other!.rename(), await other!.remove(), await own!.rename()], [false, false, true]);
  assert.equal((await store.read.passkeys.list(user))[0]!.name, 'Key');
  assert.deepEqual([await own!.remove(), await own!.remove()], [true, false]);
  await store.inTransaction(async (tx) => {
    await tx.passkeys.add(passkey);
    await tx.users.remove(accountId('anna'), user);
  });
  assert.equal(await store.read.passkeys.byCredential(passkey.credential), undefined);
});
