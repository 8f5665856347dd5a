import assert from 'node:assert/strict';
import { onBoth } from '../../test/support/store/stores.ts';

const list = (version: string) => ({
  id: 'list',
  source: 'https://lists.example/',
  version,
  text: Buffer.from(version),
  seen: null,
  account: null,
});

onBoth('a list is replaced by its next version, and every check counts', async (store) => {
  const change = <T>(work: Parameters<typeof store.inTransaction<T>>[0]) => store.inTransaction(work);
  await change((tx) => tx.sharedLists.put(list('one')));
  const checks = async () =>
    (await store.read.sharedLists.all()).map(({ id, version, checks }) => [id, version, checks]);
  assert.deepEqual(await checks(), [['list', 'one', 1]]);
  assert.equal(await change((tx) => tx.sharedLists.confirm(list('one'))), true);
  assert.equal(await change((tx) => tx.sharedLists.confirm(list('two'))), false);
  await change((tx) => tx.sharedLists.put(list('two')));
  assert.deepEqual(await checks(), [['list', 'two', 3]]);
  assert.equal(await store.read.sharedLists.text('one'), undefined);
  assert.equal(String(Buffer.from((await store.read.sharedLists.text('two'))!.text)), 'two');
  await change((tx) => tx.sharedLists.remove('list'));
  assert.deepEqual(await checks(), []);
});
