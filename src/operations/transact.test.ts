import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { ClientIdentifier } from '../domain/client-identifiers.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, type Result } from '../kit/result.ts';
import type { Store } from '../store/store.ts';
import { setIdentifiers } from './set-identifiers.ts';
import { transact } from './transact.ts';

const [anna, ben] = [newAccount('anna', 0xa0), newAccount('ben', 0xb0)];
const [annas, bens] = [deviceNumber(1, anna.profile), deviceNumber(2, ben.profile)];

async function withAccounts(store: Store): Promise<void> {
  await store.inTransaction(async (tx) => {
    for (const account of [anna, ben]) await tx.accounts.create(account);
    for (const device of [annas, bens]) await tx.devices.add(device);
  });
}

type Work<T, E> = (tx: Transaction) => Promise<Result<T, E>>;

/** The second work begins while the first has written and not committed. SQLite runs them one after the other. */
async function atTheSameTime<T, E>(
  store: Store,
  first: Work<unknown, unknown>,
  second: Work<T, E>,
): Promise<Result<T, E>> {
  const written = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const firstEnds = store.inTransaction(async (tx) => {
    const result = await first(tx);
    assert.ok(result.ok);
    written.resolve();
    await mayCommit.promise;
  });
  await written.promise;
  const secondEnds = transact(store, second);
  // In PostgreSQL the second now waits for the row of the first.
  await sleep(50);
  mayCommit.resolve();
  await firstEnds;
  return secondEnds;
}

onBoth('a success is committed, a returned error and an exception are rolled back', async (store) => {
  await withAccounts(store);
  const add = (tx: Transaction, number: number) => tx.devices.add(deviceNumber(number, anna.profile));
  assert.ok((await transact(store, (tx) => add(tx, 10))).ok);
  const refused = await transact(store, async (tx) => {
    await add(tx, 11);
    return err('refused');
  });
  assert.deepEqual(refused, err('refused'));
  const failed = transact(store, async (tx): Promise<Result<void, never>> => {
    await add(tx, 12);
    throw new Error('broken');
  });
  await assert.rejects(failed, /broken/);
  const ids = (await store.read.devices.list(anna.account.id)).map(({ id }) => id);
  // Devices of the same time have no defined order.
  assert.deepEqual(new Set(ids), new Set([annas.id, deviceNumber(10, anna.profile).id]));
  assert.equal(ids.length, 2);
});

onBoth('an account keeps its networks when another account takes one of the new ones', async (store) => {
  await withAccounts(store);
  const network = (name: string, { account, profile }: typeof anna) => ({
    network: name,
    account: account.id,
    profile: profile.id,
  });
  const before = [network('10.0.0.0/8', ben)];
  await store.inTransaction((tx) => tx.clientNetworks.replace(ben.account.id, before));
  const taken = await atTheSameTime(
    store,
    (tx) => tx.clientNetworks.replace(anna.account.id, [network('192.168.1.0/24', anna)]),
    (tx) => tx.clientNetworks.replace(ben.account.id, [network('192.168.1.0/24', ben)]),
  );
  assert.deepEqual(taken, err({ kind: 'conflict', what: 'address' }));
  assert.deepEqual(await store.read.clientNetworks.list(ben.account.id), before);
});

onBoth('a device keeps its identifiers when a device of another account takes one of the new ones', async (store) => {
  await withAccounts(store);
  const before: ClientIdentifier[] = [{ kind: 'host name', value: 'tablet' }];
  await store.inTransaction((tx) => tx.deviceIdentifiers.replace(ben.account.id, bens.id, before));
  const mac: ClientIdentifier = { kind: 'mac', value: '02:00:00:00:00:01' };
  const set = (device: typeof annas) => (tx: Transaction) =>
    setIdentifiers(tx, device, { identifiers: [mac], tags: [] }, 'any');
  const taken = await atTheSameTime(store, set(annas), set(bens));
  assert.ok(!taken.ok && taken.error.kind === 'invalid');
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(ben.account.id, bens.id), before);
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(anna.account.id, annas.id), [mac]);
});
