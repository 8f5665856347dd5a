import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { accountId, accountNamed, deviceNumber, keyOf, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth, openFor, temporaryFolder } from '../../test/support/store/stores.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import type { ListenerState } from './change-notifier.ts';

const anna = accountId('anna');
const { profile } = newAccount('anna', 0xa0);

onBoth('of fifty who add at once with one place left, one succeeds', async (store) => {
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  for (let round = 0; round < 3; round++) {
    const limit = round + 1;
    const add = (number: number) =>
      store.inTransaction(async (tx) => {
        if ((await tx.devices.count(anna)) >= limit) return 'full';
        await tx.devices.add(deviceNumber(1000 * (round + 1) + number, profile));
        return 'added';
      });
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, number) => add(number)));
    assert.equal(outcomes.filter((outcome) => outcome === 'added').length, 1);
    assert.equal(await store.read.devices.count(anna), limit);
  }
});

onBoth('failures that are counted at once are all counted', async (store) => {
  const fail = () =>
    store.inTransaction(async ({ throttles }) => {
      const failures = ((await throttles.get('address'))?.failures ?? 0) + 1;
      await throttles.put('address', { failures, lastFailureAt: 1 });
    });
  await Promise.all(Array.from({ length: 20 }, fail));
  assert.equal((await store.read.throttles.get('address'))?.failures, 20);
});

onBoth('a transaction that throws leaves nothing behind, and the next one is not disturbed', async (store) => {
  const failing = store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  assert.equal(await store.read.accounts.count(), 0);
  assert.equal((await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)))).ok, true);
});

onBoth('uncommitted changes are visible inside the transaction only', async (store) => {
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    assert.equal((await tx.accounts.find(anna))?.plan, 'free');
    assert.equal(await store.read.accounts.find(anna), undefined);
  });
  assert.equal((await store.read.accounts.find(anna))?.plan, 'free');
});

onBoth('a transaction inside of another is an error, not a deadlock', async (store) => {
  const inner = store.inTransaction(() => store.inTransaction(async () => {}));
  await assert.rejects(inner, /cannot be nested/);
  await store.inTransaction(async () => {});
});

onBoth('when a transaction is over, nothing can be done through it any more', async (store) => {
  const leaked = await store.inTransaction(async (tx) => ({ tx }));
  await assert.rejects(leaked.tx.accounts.create(newAccount('anna', 0xa0)), /has ended/);
  assert.equal(await store.read.accounts.count(), 0);
});

onBoth('a device cannot be given to a server that is not there or is another account’s', async (store) => {
  const ben = newAccount('ben', 0xb0);
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.accounts.create(ben);
  });
  const stolen = { ...deviceNumber(1, profile), profile: ben.profile.id };
  await assert.rejects(store.inTransaction((tx) => tx.devices.add(stolen)));
  assert.equal(await store.read.devices.count(anna), 0);
});

onBoth('listeners hear of each commit, whose it was, and the transaction waits for them', async (store) => {
  const heard: ChangedAccounts[] = [];
  const stop = store.onCommit(async (changed) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await store.read.accounts.find(anna))?.id, anna);
    heard.push(changed);
  });
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.accounts.create(newAccount('ben', 0xb0));
  });
  assert.deepEqual(heard, [new Set([anna, accountId('ben')])]);
  await store.inTransaction((tx) => tx.accounts.find(anna));
  await assert.rejects(
    store.inTransaction(async (tx) => {
      await tx.accounts.update(accountNamed('anna'));
      throw new Error('no');
    }),
  );
  assert.equal(heard.length, 1);
  stop();
  await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna')));
  assert.equal(heard.length, 1);
});

test('a transaction does not wait for a listener that does not end', async (t) => {
  const states: ListenerState[] = [];
  const notifier = { timeoutMs: 20, onState: (state: ListenerState) => void states.push(state) };
  const store = await openFor(t, { folder: temporaryFolder(t), notifier });
  const end = Promise.withResolvers<void>();
  store.onCommit(() => end.promise, 'the resolver');
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  assert.equal((await store.read.accounts.find(anna))?.id, anna, 'the change is stored');
  assert.ok(store.areListenersBehind());
  end.resolve();
  await until('the listener is done', () => !store.areListenersBehind());
  assert.deepEqual(
    states.map(({ state }) => state),
    ['behind', 'current'],
  );
});

test('a transaction that must be applied fails when a listener fails, and stays committed', async (t) => {
  const store = await openFor(t, { folder: temporaryFolder(t), notifier: { retryMs: 5, timeoutMs: 50 } });
  let isBroken = true;
  store.onCommit(() => {
    if (isBroken) throw new Error('not now');
  }, 'the resolver');
  const create = (name: string, id: number) =>
    store.inTransaction((tx) => tx.accounts.create(newAccount(name, id)), { mustApply: true });
  await assert.rejects(create('anna', 0xa0), { name: 'StoreError', kind: 'not applied' });
  assert.equal((await store.read.accounts.find(anna))?.id, anna, 'the change is stored');
  assert.ok(store.areListenersBehind() && store.listenerFailures() > 1, 'it is retried');
  isBroken = false;
  await until('a retry has succeeded', () => !store.areListenersBehind());
  assert.ok((await create('ben', 0xb0)).ok);
});

onBoth('uses of keys are written together, later, without a notice', async (store) => {
  const heard: ChangedAccounts[] = [];
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  await store.inTransaction((tx) => tx.keys.add(keyOf('anna')));
  store.onCommit((changed) => void heard.push(changed));
  for (let at = 1; at <= 1000; at++) store.keyUsed(keyOf('anna').id, at);
  await store.flush();
  assert.equal((await store.read.keys.list(anna))[0]?.lastUsedAt, 1000);
  assert.deepEqual(heard, []);
});

onBoth('all accounts are read in batches, as of one moment, with all of their data', async (store) => {
  const words = Array.from({ length: 450 }, (_, number) => `n${String(number).padStart(3, '0')}`);
  await store.inTransaction(async (tx) => {
    for (const [number, word] of words.entries()) {
      const made = newAccount(word, 10_000 + number);
      await tx.accounts.create(made);
      await tx.devices.add(deviceNumber(20_000 + number, made.profile));
    }
    await tx.dedicated.allocate(accountId('n007'), ['192.0.2.1'], 1);
  });
  const seen: AccountId[] = [];
  for await (const chunk of store.allAccounts()) {
    if (seen.length === 0) {
      await store.inTransaction((tx) => tx.accounts.create(newAccount('zoe', 0xa0)));
      assert.ok(chunk.length < words.length);
    }
    for (const { account, profiles, devices, dedicated } of chunk) {
      seen.push(account.id);
      const [device] = JSON.parse(devices.json) as readonly { id: string; profile: string }[];
      assert.deepEqual([profiles.length, devices.ids], [1, [device!.id]]);
      assert.equal(device!.profile, profiles[0]!.id);
      assert.equal(dedicated.length, account.id === accountId('n007') ? 1 : 0);
    }
  }
  assert.deepEqual(seen, words.map(accountId));
  const one = await store.snapshot(accountId('n007'));
  assert.deepEqual(one?.dedicated, [{ ip: '192.0.2.1', account: accountId('n007'), device: undefined }]);
  assert.equal(await store.snapshot(accountId('nobody')), undefined);
});
