import assert from 'node:assert/strict';
import { accessTokenOf, accountId, sessionOf, userId } from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';
import { PAGE_SESSION_PREFIX, PERSISTENT_SESSION_PREFIX } from '../domain/credentials.ts';
import { MAX_REPLACED, REFRESH_IDLE_MS } from '../domain/refresh-tokens.ts';

const anna = accountId('anna');

onBoth('an access token is known until its time is over or its session is revoked', async (store) => {
  await addAnna(store);
  await store.inTransaction(async (tx) => {
    await tx.tokens.addSession(sessionOf('anna'));
    await tx.tokens.addAccess(accessTokenOf('anna'), 3000);
  });
  const bearer = { account: anna, user: userId('anna'), email: 'anna@example.org', role: 'owner', isSuspended: false };
  const token = { ...bearer, session: 'family-anna', expiresAt: 9000, lastUsedAt: 3000 };
  assert.deepEqual(await store.read.tokens.accessByHash('access hash anna', 8999), token);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 9000), undefined);
  const session = { ...sessionOf('anna'), lastUsedAt: 3000 };
  assert.deepEqual(await store.read.tokens.sessionByRefreshHash('refresh hash anna'), { ...bearer, session });
  await store.inTransaction((tx) => tx.tokens.expire(9000, { pages: 0, persistent: 0 }));
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
  await store.inTransaction((tx) => tx.tokens.addAccess(accessTokenOf('anna'), 3000));
  assert.equal(await store.inTransaction((tx) => tx.tokens.removeSession(anna, 'family-anna')), true);
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
});

onBoth('all tokens of a person are revoked at once', async (store) => {
  await addAnna(store);
  await store.inTransaction(async (tx) => {
    await tx.tokens.addSession(sessionOf('anna'));
    await tx.tokens.addAccess(accessTokenOf('anna'), 3000);
    await tx.tokens.removeOfUser(anna, userId('anna'));
  });
  assert.equal(await store.read.tokens.accessByHash('access hash anna', 0), undefined);
  assert.equal(await store.read.tokens.sessionByRefreshHash('refresh hash anna'), undefined);
});

onBoth('a refresh token is replaced once; the replaced one is known, up to a number of them', async (store) => {
  await addAnna(store);
  await store.inTransaction((tx) => tx.tokens.addSession(sessionOf('anna')));
  const rotate = (hash: string, nextHash: string, replacedAt: number) =>
    store.inTransaction((tx) => tx.tokens.rotate(anna, 'family-anna', { hash, nextHash, seed: 'seed', replacedAt }));
  assert.equal(await rotate('refresh hash anna', 'next 0', 100), true);
  assert.equal(await rotate('refresh hash anna', 'other', 100), false);
  assert.equal(await store.read.tokens.sessionByRefreshHash('refresh hash anna'), undefined);
  const found = await store.read.tokens.sessionByReplacedHash('refresh hash anna');
  assert.deepEqual(found?.replaced, { hash: 'refresh hash anna', nextHash: 'next 0', seed: 'seed', replacedAt: 100 });
  assert.deepEqual([found?.session.refreshHash, found?.session.rotates], ['next 0', true]);
  for (let number = 0; number < MAX_REPLACED; number += 1)
    assert.equal(await rotate(`next ${number}`, `next ${number + 1}`, 200 + number), true);
  assert.equal(await store.read.tokens.sessionByReplacedHash('refresh hash anna'), undefined);
  assert.ok(await store.read.tokens.sessionByReplacedHash('next 0'));
});

onBoth('idle sessions of pages, unused sessions and expired tokens are deleted', async (store) => {
  await addAnna(store);
  const ids = { page: `${PAGE_SESSION_PREFIX}1`, persistent: `${PERSISTENT_SESSION_PREFIX}1`, program: 'program' };
  await store.inTransaction(async (tx) => {
    for (const id of Object.values(ids))
      await tx.tokens.addSession({ ...sessionOf('anna'), id, refreshHash: `refresh ${id}`, lastUsedAt: 5000 });
  });
  const left = async (now: number, idle: { pages: number; persistent: number }) => {
    await store.inTransaction((tx) => tx.tokens.expire(now, idle));
    return (await store.read.tokens.sessions(anna, userId('anna'))).map(({ id }) => id).sort();
  };
  const all = Object.values(ids).sort();
  assert.deepEqual(await left(6000, { pages: 5000, persistent: 5000 }), all);
  assert.deepEqual(
    await left(6000, { pages: 5001, persistent: 5000 }),
    all.filter((id) => id !== ids.page),
  );
  assert.deepEqual(await left(6000, { pages: 5001, persistent: 5001 }), ['program']);
  assert.deepEqual(await left(5000 + REFRESH_IDLE_MS, { pages: 0, persistent: 0 }), []);
});
