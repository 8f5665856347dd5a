import assert from 'node:assert/strict';
import { accountId, auditEntryOf, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import { MAX_STORED_REPLIES, type StoredReply } from '../domain/stored-reply.ts';
import type { Store } from './store.ts';

const [annas, bens] = [accountId('anna'), accountId('ben')];

const reply = (id: string, more: Partial<StoredReply> = {}): StoredReply => ({
  id,
  account: annas,
  request: 'hash',
  reply: { kind: 'json', text: '{"id":1}' },
  createdAt: 1000,
  ...more,
});

const begin = (store: Store, replies: readonly StoredReply[]): Promise<void> =>
  store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.accounts.create(newAccount('ben', 0xb0));
    for (const each of replies) await tx.storedReplies.put(each);
  });

onBoth('a reply is found by its account until it expires, and replaced then', async (store) => {
  const withheld = reply('two', { reply: { kind: 'withheld' } });
  await begin(store, [reply('one'), withheld]);
  const find: Store['read']['storedReplies']['find'] = (...key) => store.read.storedReplies.find(...key);
  assert.deepEqual(await find(annas, 'one', 999), reply('one'));
  assert.deepEqual(await find(annas, 'two', 999), withheld);
  assert.equal(await find(bens, 'one', 999), undefined);
  assert.equal(await find(annas, 'one', 1000), undefined);
  await store.inTransaction((tx) => tx.storedReplies.put(reply('one', { createdAt: 2000, request: 'other' })));
  assert.equal((await find(annas, 'one', 1000))?.request, 'other');
  await store.inTransaction((tx) => tx.storedReplies.expire(1500));
  assert.equal(await find(annas, 'two', 0), undefined);
  assert.ok(await find(annas, 'one', 0));
});

onBoth('the oldest replies of an account are dropped above the limit', async (store) => {
  const many = Array.from({ length: MAX_STORED_REPLIES + 1 }, (_, index) =>
    reply(`n${index}`, { createdAt: index + 1 }),
  );
  await begin(store, [reply('bens', { account: bens, createdAt: 0 }), ...many]);
  const find: Store['read']['storedReplies']['find'] = (...key) => store.read.storedReplies.find(...key);
  assert.equal(await find(annas, 'n0', 0), undefined);
  assert.ok(await find(annas, 'n1', 0));
  assert.ok(await find(bens, 'bens', -1), 'another account has its own limit');
});

onBoth('replies are deleted with their account', async (store) => {
  await begin(store, [reply('one')]);
  await store.inTransaction((tx) => tx.accounts.remove(annas, auditEntryOf('anna')));
  assert.equal(await store.read.storedReplies.find(annas, 'one', 0), undefined);
});
