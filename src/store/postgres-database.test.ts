import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { accountId, accountNamed, newAccount } from '../../test/support/store/accounts.ts';
import { newPostgresDatabase } from '../../test/support/store/postgres.ts';
import { openFor } from '../../test/support/store/stores.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { openStore } from './store.ts';

const anna = accountId('anna');

test('a process hears what another has changed on the same database, and not what it did itself', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const [one, other] = [await openFor(t, { postgres }), await openFor(t, { postgres })];
  const heardHere: ChangedAccounts[] = [];
  one.onCommit((changed) => void heardHere.push(changed));
  const heard = new Promise<ChangedAccounts>((resolve) => other.onCommit(resolve));
  await one.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  assert.deepEqual(await heard, new Set([anna]));
  assert.equal(heardHere.length, 1);
});

test('broken connections are reopened, and changes made meanwhile are read, not all accounts', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const store = await openFor(t, { postgres });
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  await store.inTransaction((tx) => tx.accounts.create(newAccount('ben', 0xb0)));
  const heard = new Promise<ChangedAccounts>((resolve) => store.onCommit(resolve));
  const operator = new pg.Client(postgres);
  await operator.connect();
  await operator.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    ['weir'],
  );
  await operator.query(`insert into changes select max(revision) + 1, 'account-anna', 1 from changes`);
  await operator.end();
  assert.deepEqual(await heard, new Set([anna]));
  assert.equal((await store.read.accounts.find(anna))?.plan, 'free');
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna'))), true);
});

test('two transactions that wait for each other end well both', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const store = await openFor(t, { postgres });
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.accounts.create(newAccount('ben', 0xb0));
  });
  const both = (first: string, second: string) =>
    store.inTransaction(async (tx) => {
      await tx.accounts.update(accountNamed(first, { plan: first }));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.accounts.update(accountNamed(second, { plan: first }));
    });
  await Promise.all([both('anna', 'ben'), both('ben', 'anna')]);
  const plans = (await store.read.accounts.list()).map(({ plan }) => plan);
  assert.equal(plans[0], plans[1]);
});

test('a server that is not there is said to be out of reach', async () => {
  await assert.rejects(openStore({ postgres: 'postgres://nobody@127.0.0.1:1/none' }), {
    name: 'StoreError',
    kind: 'unreachable',
  });
});
