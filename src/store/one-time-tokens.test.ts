import assert from 'node:assert/strict';
import { onBoth } from '../../test/support/store/stores.ts';

onBoth('a ticket is taken once, for what it was made, in its time', async (store) => {
  const put = (hash: string) =>
    store.inTransaction((tx) =>
      tx.oneTimeTokens.put({ kind: 'mfa', hash, content: { user: 'anna' }, expiresAt: 9000 }),
    );
  const take = (kind: string, hash: string, now: number) =>
    store.inTransaction((tx) => tx.oneTimeTokens.take(kind, hash, now));
  await put('one');
  assert.deepEqual(await store.read.oneTimeTokens.peek('mfa', 'one', 8999), { content: { user: 'anna' } });
  assert.equal(await take('other', 'one', 8999), undefined);
  const both = await Promise.all([take('mfa', 'one', 8999), take('mfa', 'one', 8999)]);
  assert.deepEqual(
    both.filter((taken) => taken !== undefined),
    [{ content: { user: 'anna' } }],
  );
  await put('two');
  assert.equal(await take('mfa', 'two', 9000), undefined);
});

onBoth('of the tokens for setting up the last one is good, once', async (store) => {
  await store.inTransaction((tx) => tx.oneTimeTokens.setUp.put('first', 9000));
  await store.inTransaction((tx) => tx.oneTimeTokens.setUp.put('second', 9000));
  const take = (hash: string) => store.inTransaction((tx) => tx.oneTimeTokens.setUp.take(hash, 5000));
  assert.equal(await take('first'), false);
  assert.deepEqual((await Promise.all([take('second'), take('second')])).toSorted(), [false, true]);
});
