import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { until } from '../../test/support/kit/until.ts';
import { newPostgresDatabase } from '../../test/support/store/postgres.ts';
import { openFor } from '../../test/support/store/stores.ts';
import { openStore } from './store.ts';

test('one process on a database is the leader, and another one after it', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const first = await openStore({ postgres });
  const second = await openFor(t, { postgres });
  assert.deepEqual([await first.isLeader(), await second.isLeader(), await first.isLeader()], [true, false, true]);
  await first.close();
  await until('the second one to be the leader', () => second.isLeader());
});

test('the only process on a file is the leader', async (t) => {
  const store = await openFor(t, { folder: await temporaryFolder(t) });
  assert.equal(await store.isLeader(), true);
});
