import assert from 'node:assert/strict';
import { accountId, accountNamed, keyOf, userId } from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';
import type { KeyId } from '../domain/ids.ts';

const anna = accountId('anna');

onBoth('a key says who shows it, what that person may do, and whether the account is suspended', async (store) => {
  await addAnna(store);
  await store.inTransaction((tx) => tx.keys.add(keyOf('anna')));
  const bearer = { account: anna, user: userId('anna'), email: 'anna@example.org', role: 'owner', isSuspended: false };
  const expected = { ...bearer, key: 'key-anna', keyName: 'script' };
  assert.deepEqual(await store.read.keys.byHash('key hash anna'), expected);
  await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna', { isSuspended: true })));
  assert.deepEqual(await store.read.keys.byHash('key hash anna'), { ...expected, isSuspended: true });
  const same = await store.inTransaction((tx) => tx.keys.add(keyOf('anna', { id: 'other' as KeyId })));
  assert.deepEqual(same, { ok: false, error: { kind: 'conflict', what: 'hash' } });
  assert.equal(await store.inTransaction((tx) => tx.keys.remove(anna, 'key-anna' as KeyId)), true);
  assert.deepEqual(await store.read.keys.list(anna), []);
});
