import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { accountId, accountNamed, newAccount } from '../../test/support/store/accounts.ts';
import { newPostgresDatabase } from '../../test/support/store/postgres.ts';
import { openFor } from '../../test/support/store/stores.ts';
import { startTcpProxy } from '../../test/support/store/tcp-proxy.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { StoreError } from '../domain/store-error.ts';
import { openStore } from './store.ts';

const anna = accountId('anna');
// A twentieth of the usual times.
const limits = {
  timeouts: { connectMs: 250, statementMs: 500, responseMs: 550, closeMs: 100 },
  notices: { reconnectMs: 50, heartbeatMs: 250, heartbeatWithinMs: 250 },
};
const POLL_MS = 250;
/** Heartbeat, its timeout, reconnection and one interval; the rest is for a busy machine. */
const NOTICED_WITHIN_MS = 5000;

const isUnavailable = (error: unknown): boolean => error instanceof StoreError && error.isTemporary;

/** A store behind a proxy, and another one that is connected directly. */
async function twoNodes(t: TestContext) {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return undefined;
  const direct = await openFor(t, { postgres });
  await direct.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  const proxy = await startTcpProxy(t, postgres);
  const store = await openStore({ postgres: proxy.url, limits, pollMs: POLL_MS });
  t.after(() => store.close());
  const heard: ChangedAccounts[] = [];
  store.onCommit((changed) => void heard.push(changed));
  let plans = 0;
  const change = () => direct.inTransaction((tx) => tx.accounts.update(accountNamed('anna', { plan: `${++plans}` })));
  return { proxy, store, direct, heard, change };
}

type Nodes = NonNullable<Awaited<ReturnType<typeof twoNodes>>>;

const faults: Readonly<Record<string, (nodes: Nodes) => Promise<void> | void>> = {
  'drops its connections silently': ({ proxy }) => proxy.dropSilently(),
  'cuts its connections': ({ proxy }) => proxy.cut(),
  'delays every packet': ({ proxy }) => proxy.delay(40),
  async 'is frozen until the store has noticed'({ proxy, store }) {
    proxy.freeze();
    await until('the lag', () => store.changes().lagMs > 3 * POLL_MS);
    proxy.thaw();
  },
};

for (const [fault, happens] of Object.entries(faults))
  test(`when the network ${fault}, a change of another node is still read, and only that`, async (t) => {
    const nodes = await twoNodes(t);
    if (!nodes) return t.skip('there is no PostgreSQL here');
    const { store, direct, heard, change } = nodes;
    // Several pooled connections, so that all of them are lost.
    await Promise.all(Array.from({ length: 5 }, () => store.read.accounts.count()));
    await happens(nodes);
    const startedAt = performance.now();
    await change();
    await until('the change', () => heard.length > 0);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < NOTICED_WITHIN_MS, `${tookMs} ms`);
    for (const changed of heard) assert.deepEqual(changed, new Set([anna]), 'not all accounts');
    await until('the same revision', () => store.changes().revision === direct.changes().revision);
    t.diagnostic(`read after ${Math.round(tookMs)} ms with timeouts of a twentieth`);
  });

test('a store that will be closed does not wait for a silent server', { timeout: 60_000 }, async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return t.skip('there is no PostgreSQL here');
  const { proxy } = nodes;
  // Longer than the timeout of this test.
  const never = { statementMs: 600_000, responseMs: 600_000, connectMs: 600_000 };
  const timeouts = { ...limits.timeouts, ...never, lastWaitMs: 250 };
  const store = await openStore({ postgres: proxy.url, limits: { ...limits, timeouts } });
  t.after(() => store.close());
  await Promise.all(Array.from({ length: 5 }, () => store.read.accounts.count()));
  assert.equal(await store.isLeader(), true);
  store.limitWaits();
  assert.equal(await store.read.accounts.count(), 1);
  assert.equal(await store.isLeader(), false);
  proxy.freeze();
  const asked = [store.read.accounts.count(), store.snapshot(anna), store.inTransaction((tx) => tx.accounts.list())];
  await Promise.all(asked.map((request) => assert.rejects(Promise.resolve(request), isUnavailable)));
  proxy.thaw();
  await assert.rejects(Promise.resolve(store.read.accounts.count()), isUnavailable, 'it is not asked again');
});

test('while the server does not answer, requests fail in time, the lag grows, and the store closes in time', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return t.skip('there is no PostgreSQL here');
  const { store, proxy } = nodes;
  await Promise.all(Array.from({ length: 5 }, () => store.read.accounts.count()));
  proxy.freeze();
  const startedAt = performance.now();
  const asked = [
    ...Array.from({ length: 20 }, () => store.read.accounts.count()),
    store.inTransaction((tx) => tx.accounts.update(accountNamed('anna'))),
    store.snapshot(anna),
    store.allAccounts().next(),
  ];
  await Promise.all(asked.map((request) => assert.rejects(Promise.resolve(request), isUnavailable)));
  const { connectMs, responseMs } = limits.timeouts;
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < 4 * (connectMs + responseMs), `${tookMs} ms`);
  await until('a lag', () => store.changes().lagMs > 3 * POLL_MS);
  const hanging = store.read.accounts.count().catch(() => undefined);
  store.sessionUsed('session', 1);
  const closingAt = performance.now();
  await store.close();
  assert.ok(performance.now() - closingAt < 3000, `${performance.now() - closingAt} ms`);
  await hanging;
});
