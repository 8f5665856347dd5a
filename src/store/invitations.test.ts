import assert from 'node:assert/strict';
import { accountId, invitationOf } from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';

const anna = accountId('anna');

onBoth('an invitation is found by its token until its time is over, and accepted once', async (store) => {
  await addAnna(store);
  await store.inTransaction((tx) => tx.invitations.add(invitationOf('anna')));
  assert.deepEqual(await store.read.invitations.byHash('invitation hash anna', 8999), invitationOf('anna'));
  assert.equal(await store.read.invitations.byHash('invitation hash anna', 9000), undefined);
  assert.deepEqual(await store.read.invitations.list(anna), [invitationOf('anna')]);
  const accept = () => store.inTransaction((tx) => tx.invitations.remove(anna, 'invitation-anna'));
  assert.deepEqual((await Promise.all([accept(), accept()])).toSorted(), [false, true]);
});
