import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/support/kit/until.ts';
import { newAccount } from '../../test/support/store/accounts.ts';
import { temporaryFolder } from '../../test/support/store/stores.ts';
import { StoreError } from '../domain/store-error.ts';
import { openReconnectingStore, openStore } from './store.ts';

const AGAIN_MS = 20;

async function damaged(folder: string): Promise<StoreError> {
  writeFileSync(join(folder, 'settings.sqlite'), Buffer.alloc(8192, 'this is no database '));
  const why = await openStore({ folder }).then(
    () => assert.fail('it opened'),
    (error: unknown) => error,
  );
  assert.ok(why instanceof StoreError && why.isTemporary);
  return why;
}

test('a store whose database cannot be used refuses with the reason, and is there when the database is', async (t) => {
  const folder = temporaryFolder(t);
  let opened = 0;
  const store = await openReconnectingStore({ folder }, await damaged(folder), () => opened++, AGAIN_MS);
  t.after(() => store.close());
  const changes: unknown[] = [];
  store.onCommit((changed) => void changes.push(changed));
  const refused = (error: unknown): boolean => error instanceof StoreError && error.kind === 'corrupt';
  await assert.rejects(store.read.accounts.count(), refused);
  await assert.rejects(
    store.inTransaction(async () => {}),
    refused,
  );
  await assert.rejects(store.allAccounts().next(), refused);

  rmSync(join(folder, 'settings.sqlite'));
  await sleep(5 * AGAIN_MS);
  assert.equal(opened, 0, 'one that is missing is not made anew');
  const other = temporaryFolder(t);
  const made = await openStore({ folder: other });
  await made.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  await made.backup(join(other, 'backup'), 0);
  await made.close();
  const beside = await openStore({ folder, besideServer: true });
  await beside.restore(join(other, 'backup'));
  await beside.close();
  await until('it to open', () => opened > 0);
  assert.equal(opened, 1);
  assert.equal(await store.read.accounts.count(), 1);
  assert.ok(changes.includes('all'), 'whoever listens reads everything anew');
});

test('a store that never opened can be closed', async (t) => {
  const folder = temporaryFolder(t);
  const store = await openReconnectingStore(
    { folder },
    await damaged(folder),
    () => assert.fail('it opened'),
    AGAIN_MS,
  );
  await store.close();
  await sleep(3 * AGAIN_MS);
});

test('a permanent error is not retried', () => {
  for (const failure of ['newer', 'unsupported', 'in use', 'not restorable', 'taken'] as const)
    assert.equal(new StoreError(failure, '').isTemporary, false);
});
