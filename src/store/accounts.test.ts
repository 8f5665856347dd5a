import assert from 'node:assert/strict';
import {
  accessTokenOf,
  accountId,
  accountNamed,
  auditEntryOf,
  deviceNumber,
  invitationOf,
  keyOf,
  newAccount,
  sessionOf,
  userNamed,
} from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';

const anna = accountId('anna');
const ben = accountId('ben');

onBoth('a new account has its owner and its default server, as they were given', async (store) => {
  const { account, owner, profile } = await addAnna(store);
  assert.deepEqual(await store.read.accounts.find(anna), account);
  assert.deepEqual(await store.read.users.members(anna), [owner]);
  assert.deepEqual(await store.read.profiles.default(anna), profile);
  assert.deepEqual(await store.read.profiles.list(anna), [profile]);
  assert.deepEqual(await store.read.accounts.list(), [account]);
  assert.equal(await store.read.accounts.count(), 1);
});

onBoth('an account whose owner has an address that is known is not made, not even in part', async (store) => {
  await addAnna(store);
  const second = { ...newAccount('ben', 0xb0), owner: userNamed('ben', { email: 'Anna@Example.org' }) };
  const made = await store.inTransaction((tx) => tx.accounts.create(second));
  assert.deepEqual(made, { ok: false, error: { kind: 'conflict', what: 'email' } });
  assert.equal(await store.read.accounts.find(ben), undefined);
  const again = await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xb0)));
  assert.deepEqual(again, { ok: false, error: { kind: 'conflict', what: 'id' } });
});

onBoth('an account is changed as a whole', async (store) => {
  await addAnna(store);
  const changed = accountNamed('anna', { plan: 'team', limitOverrides: { devices: 7 }, isSuspended: true });
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(changed)), true);
  assert.deepEqual(await store.read.accounts.find(anna), changed);
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(accountNamed('nobody'))), false);
});

onBoth(
  'with an account goes everything that is its own, and the operator can still see that it went',
  async (store) => {
    const { profile } = await addAnna(store);
    await store.inTransaction(async (tx) => {
      await tx.devices.add(deviceNumber(1, profile));
      await tx.keys.add(keyOf('anna'));
      await tx.tokens.addSession(sessionOf('anna'));
      await tx.tokens.addAccess(accessTokenOf('anna'), 2000);
      await tx.invitations.add(invitationOf('anna'));
      await tx.audit.add(auditEntryOf('anna'));
      await tx.dedicated.allocate(anna, ['192.0.2.1'], 2000);
      await tx.dedicated.link(anna, '192.0.2.1', deviceNumber(1, profile).id);
    });
    const gone = auditEntryOf('anna', { id: 'last', by: 'operator', action: 'account.delete' });
    assert.equal(await store.inTransaction((tx) => tx.accounts.remove(anna, gone)), true);
    const { read } = store;
    assert.equal(await read.accounts.find(anna), undefined);
    assert.equal(await read.users.byEmail('anna@example.org'), undefined);
    assert.equal(await read.keys.byHash('key hash anna'), undefined);
    assert.equal(await read.tokens.accessByHash('access hash anna', 0), undefined);
    assert.equal(await read.tokens.sessionByRefreshHash('refresh hash anna'), undefined);
    assert.equal(await read.invitations.byHash('invitation hash anna', 0), undefined);
    assert.deepEqual(await read.dedicated.list(anna), []);
    const nameless = { from: undefined, subject: undefined, before: undefined, after: undefined };
    assert.deepEqual(await read.audit.list(anna, { limit: 10 }), [{ ...gone, ...nameless }]);
    assert.deepEqual(await read.accounts.deleted(), [anna]);
    assert.equal(await store.inTransaction((tx) => tx.accounts.remove(anna, gone)), false);
  },
);
