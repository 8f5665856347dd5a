import assert from 'node:assert/strict';
import { onBoth } from '../../test/support/store/stores.ts';

onBoth('a batch is known until it is older than the given time', async (store) => {
  const add = (id: string, at: number, since = 0) =>
    store.inTransaction((tx) => tx.receivedBatches.add(id, { at, since }));
  const has = (id: string): Promise<boolean> => store.read.receivedBatches.has(id);
  assert.equal(await has('a'), false);
  await add('a', 1000);
  await add('a', 2000);
  assert.equal(await has('a'), true);
  await add('b', 3000, 1000);
  assert.deepEqual([await has('a'), await has('b')], [true, true]);
  await add('c', 4000, 1001);
  assert.deepEqual([await has('a'), await has('b'), await has('c')], [false, true, true]);
});
