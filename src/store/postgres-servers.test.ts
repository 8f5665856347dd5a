import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import pg from 'pg';
import { slow } from '../../test/support/kit/slow.ts';
import { until } from '../../test/support/kit/until.ts';
import { accountId, accountNamed, newAccount } from '../../test/support/store/accounts.ts';
import { startPgBouncer } from '../../test/support/store/pgbouncer.ts';
import { newPostgresDatabase, startPostgresServer } from '../../test/support/store/postgres.ts';
import { openFor } from '../../test/support/store/stores.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { StoreError } from '../domain/store-error.ts';
import { openStore } from './store.ts';

const anna = accountId('anna');
const limits = {
  timeouts: { connectMs: 500, statementMs: 500, responseMs: 600, closeMs: 100 },
  notices: { reconnectMs: 50, heartbeatMs: 250, heartbeatWithinMs: 250 },
};
const isUnavailable = (error: unknown): boolean => error instanceof StoreError && error.isTemporary;

test(
  'a server that is restarted, frozen and replaced by its standby: the store goes on with the one that can be written',
  slow,
  async (t) => {
    const primary = await startPostgresServer();
    if (!primary) return t.skip('there is no PostgreSQL here');
    await (await openFor(t, { postgres: `${primary.url}/postgres` })).inTransaction((tx) =>
      tx.accounts.create(newAccount('anna', 0xa0)),
    );
    const standby = (await startPostgresServer(primary))!;
    // The standby is the first host: it is skipped as long as it cannot be written.
    const postgres = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`;
    const open = () => openStore({ postgres, limits, pollMs: 100 });
    const [store, other] = [await open(), await open()];
    t.after(() => Promise.all([store.close(), other.close()]));
    const heard: ChangedAccounts[] = [];
    other.onCommit((changed) => void heard.push(changed));
    let plans = 0;
    const change = () => store.inTransaction((tx) => tx.accounts.update(accountNamed('anna', { plan: `${++plans}` })));
    const changeWhenPossible = () => until('a change', () => change().catch(() => false));
    const isHeard = () => until('the same revision', () => other.changes().revision === store.changes().revision);
    await change();
    await isHeard();

    await primary.restart();
    await changeWhenPossible();
    await isHeard();

    primary.freeze();
    const startedAt = performance.now();
    await assert.rejects(change(), isUnavailable);
    const refusedMs = performance.now() - startedAt;
    assert.ok(refusedMs < 4000, `${refusedMs} ms`);
    await until('the lag', () => other.changes().lagMs > 500);
    primary.thaw();
    await changeWhenPossible();
    await isHeard();
    for (const changed of heard) assert.deepEqual(changed, new Set([anna]), 'not all accounts');

    await until('the standby has everything', async () => {
      const copy = new pg.Client(`${standby.url}/postgres`);
      await copy.connect();
      const [{ plan }] = (await copy.query('select plan from accounts')).rows as [{ plan: string }];
      await copy.end();
      return plan === `${plans}`;
    });
    primary.stop();
    standby.promote();
    const failedAt = performance.now();
    await changeWhenPossible();
    const failoverMs = performance.now() - failedAt;
    await isHeard();
    assert.equal((await other.read.accounts.find(anna))?.plan, `${plans}`);
    t.diagnostic(
      `frozen: refused after ${Math.round(refusedMs)} ms; failover: written after ${Math.round(failoverMs)} ms`,
    );
  },
);

const bouncer = { skip: slow.skip || (!existsSync('/usr/sbin/pgbouncer') && 'PgBouncer is not installed') };

test('PgBouncer in session mode works, with notifications', bouncer, async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const direct = await openFor(t, { postgres });
  // Longer than the test: the change is heard by the notification.
  const store = await openFor(t, { postgres: await startPgBouncer(t, postgres, 'session'), pollMs: 1_000_000 });
  const heard = new Promise<ChangedAccounts>((resolve) => store.onCommit(resolve));
  await direct.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  assert.deepEqual(await heard, new Set([anna]));
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna'))), true);
});

test('PgBouncer in transaction mode is refused with a clear message', bouncer, async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const through = await startPgBouncer(t, postgres, 'transaction');
  await assert.rejects(openStore({ postgres: through }), {
    name: 'StoreError',
    kind: 'unsupported',
    isTemporary: false,
    message: /pool_mode = session/,
  });
});
