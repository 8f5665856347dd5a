import assert from 'node:assert/strict';
import { onBoth } from '../../test/support/store/stores.ts';

onBoth('all nodes get the secret of the first, until a later period replaces it', async (store) => {
  const ensure = (value: string, period: number) =>
    store.inTransaction((tx) => tx.sharedSecrets.ensure('cookie', { value, period }));
  const advance = (value: string, period: number) =>
    store.inTransaction((tx) => tx.sharedSecrets.advance('cookie', { value, period }));
  assert.deepEqual(await ensure('first', 1), { value: 'first', period: 1 });
  assert.deepEqual(await ensure('second', 1), { value: 'first', period: 1 });
  await advance('same period', 1);
  assert.equal((await ensure('', 0)).value, 'first');
  await advance('next', 2);
  await advance('late', 2);
  assert.deepEqual(await ensure('', 0), { value: 'next', period: 2 });
});
