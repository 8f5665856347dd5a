import assert from 'node:assert/strict';
import { onBoth } from '../../test/support/store/stores.ts';

onBoth('failed sign-ins are remembered until they are forgotten', async (store) => {
  const throttles = store.read.throttles;
  await store.inTransaction((tx) => tx.throttles.put('address 192.0.2.1', { failures: 1, lastFailureAt: 100 }));
  await store.inTransaction((tx) => tx.throttles.put('address 192.0.2.1', { failures: 2, lastFailureAt: 200 }));
  assert.deepEqual(await throttles.get('address 192.0.2.1'), { failures: 2, lastFailureAt: 200 });
  await store.inTransaction((tx) => tx.throttles.expire(200));
  assert.equal((await throttles.get('address 192.0.2.1'))?.failures, 2);
  await store.inTransaction((tx) => tx.throttles.expire(201));
  assert.equal(await throttles.get('address 192.0.2.1'), undefined);
});
