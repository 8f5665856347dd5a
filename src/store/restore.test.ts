import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  accessTokenOf,
  accountId,
  deviceNumber,
  keyOf,
  newAccount,
  sessionOf,
} from '../../test/support/store/accounts.ts';
import { onBoth, temporaryFolder } from '../../test/support/store/stores.ts';

const [anna, ben] = [accountId('anna'), accountId('ben')];

onBoth('a backup replaces all accounts; sessions end, and nodes keep their keys', async (store, { t }) => {
  const file = join(temporaryFolder(t), 'backup');
  const { profile } = newAccount('anna', 0xa0);
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.devices.add(deviceNumber(1, profile, { name: 'Phone' }));
    await tx.keys.add(keyOf('anna'));
    await tx.tokens.addSession(sessionOf('anna'));
    await tx.tokens.addAccess(accessTokenOf('anna'), 2000);
  });
  await store.backup(file, 1);
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('ben', 0xb0));
    await tx.devices.add(deviceNumber(2, profile, { name: 'Tablet' }));
    await tx.nodes.add({ id: 'node', name: 'Edge', hash: 'hash', hint: 'hint', createdAt: 1 });
  });
  const notices: unknown[] = [];
  store.onCommit(async (changed) => void notices.push(changed), 'a test');
  const before = await store.newestChange();

  await store.restore(file, { isReplacing: true });
  assert.equal(await store.snapshot(ben), undefined);
  const { devices } = (await store.snapshot(anna))!;
  assert.deepEqual(
    devices.map(({ name }) => name),
    ['Phone'],
  );
  assert.equal((await store.read.keys.list(anna)).length, 1);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
  assert.equal(await store.read.tokens.sessionByRefreshHash('refresh hash anna'), undefined);
  assert.deepEqual(
    (await store.read.nodes.list()).map(({ name }) => name),
    ['Edge'],
  );
  assert.deepEqual(notices, ['all']);
  assert.ok((await store.newestChange()).revision > before.revision);
  // The next change is counted on, and stored in the new tables.
  await store.inTransaction((tx) => tx.devices.add(deviceNumber(3, profile, { name: 'Laptop' })));
  assert.equal(await store.read.devices.count(anna), 2);
});
