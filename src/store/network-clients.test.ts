import assert from 'node:assert/strict';
import { join } from 'node:path';
import { accountId, auditEntryOf, newAccount } from '../../test/support/store/accounts.ts';
import { databases, onBoth, openFor, temporaryFolder } from '../../test/support/store/stores.ts';
import type { DeviceId, ProfileId } from '../domain/ids.ts';
import type { NetworkClient } from '../domain/network-client.ts';
import type { Store } from './store.ts';

const [annas, bens] = [accountId('anna'), accountId('ben')];

const client = (id: string, more: Partial<NetworkClient> = {}): NetworkClient => ({
  id,
  account: annas,
  mac: 'b8:27:eb:00:00:01',
  addresses: [{ address: '192.168.1.5', lastSeen: 2000 }],
  names: { ptr: ['laptop.lan'] },
  profile: 'p1' as ProfileId,
  device: 'd1' as DeviceId,
  firstSeen: 1000,
  lastSeen: 2000,
  queries: 3_000_000_000,
  hours: [{ hour: 0, queries: 7 }],
  ...more,
});
const unknown = client('c2', {
  mac: undefined,
  profile: undefined,
  device: undefined,
  names: {},
  addresses: [],
  lastSeen: 3000,
});

const withAccounts = (store: Store): Promise<void> =>
  store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.accounts.create(newAccount('ben', 0xb0));
    await tx.networkClients.put([client('c1'), unknown]);
  });

onBoth('clients are listed, the most recently seen first, and replaced', async (store) => {
  await withAccounts(store);
  assert.deepEqual(await store.read.networkClients.list(annas), [unknown, client('c1')]);
  const seenAgain = client('c1', { lastSeen: 4000, names: { lease: ['desk'] } });
  await store.inTransaction((tx) => tx.networkClients.put([seenAgain]));
  assert.deepEqual(await store.read.networkClients.list(annas), [seenAgain, unknown]);
});

onBoth('no account finds, replaces or removes a client of another', async (store) => {
  await withAccounts(store);
  assert.deepEqual(await store.read.networkClients.list(bens), []);
  assert.equal(await store.read.networkClients.find(bens, 'c1'), undefined);
  await store.inTransaction(async (tx) => {
    await tx.networkClients.put([client('c1', { account: bens, queries: 0 })]);
    assert.equal(await tx.networkClients.remove(bens, ['c1']), 0);
  });
  assert.deepEqual(await store.read.networkClients.find(annas, 'c1'), client('c1'));
});

onBoth('clients are removed by id, by time and with their account', async (store) => {
  await withAccounts(store);
  await store.inTransaction((tx) => tx.networkClients.remove(annas, ['c2', 'other']));
  assert.deepEqual(await store.read.networkClients.list(annas), [client('c1')]);
  await store.inTransaction((tx) => tx.networkClients.put([client('c3', { lastSeen: 9000 })]));
  await store.inTransaction((tx) => tx.networkClients.expire(2001));
  assert.deepEqual(
    (await store.read.networkClients.list(annas)).map(({ id }) => id),
    ['c3'],
  );
  await store.inTransaction((tx) => tx.accounts.remove(annas, auditEntryOf('anna', { id: 'gone' })));
  assert.deepEqual(await store.read.networkClients.list(annas), []);
});

onBoth('a sighting does not notify listeners: the resolver does not need it', async (store) => {
  await withAccounts(store);
  let notified = 0;
  store.onCommit(() => void notified++);
  await store.inTransaction(async (tx) => {
    await tx.networkClients.list(annas);
    await tx.networkClients.put([client('c1', { lastSeen: 5000 })]);
    await tx.networkClients.remove(annas, ['c2']);
  });
  assert.equal(notified, 0);
});

onBoth('a backup has the clients', async (store, { t }) => {
  await withAccounts(store);
  const file = join(temporaryFolder(t), 'backup');
  await store.backup(file, 1);
  const restored = await openFor(t, (await databases.SQLite(t))!);
  await restored.restore(file);
  assert.deepEqual(await restored.read.networkClients.list(annas), [unknown, client('c1')]);
});
