import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { missing } from '../../test/support/programs.ts';
import { startValkey } from '../../test/support/valkey.ts';
import { type SharedAttempts, throttleRule } from '../domain/login-throttle.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { fixedWindow } from '../kit/fixed-window.ts';
import { openValkey } from './open-valkey.ts';
import { sharedAttempts } from './shared-attempts.ts';
import { sharedChanges } from './shared-changes.ts';
import { sharedLiveLog } from './shared-live-log.ts';
import { oneNodeRuns } from './shared-results.ts';
import { sharedWindow } from './shared-window.ts';

const needs = { skip: missing('redis-server') };
const MINUTE_MS = 60_000;

async function connect(t: TestContext, url: string) {
  const events: string[] = [];
  const valkey = await openValkey(url, { onDown: () => events.push('down'), onUp: () => events.push('up') });
  t.after(valkey.close);
  return { valkey, events };
}

const windowOn = (valkey: Awaited<ReturnType<typeof openValkey>>, limit: number) =>
  sharedWindow(valkey, {
    name: 'test',
    limit,
    windowMs: MINUTE_MS,
    local: fixedWindow({ limit, windowMs: MINUTE_MS, now: () => performance.now(), maxKeys: 100 }),
  });

test('requests at all nodes count together, by the rule of a window in memory', needs, async (t) => {
  const { url } = await startValkey(t);
  const nodes = [windowOn((await connect(t, url)).valkey, 10), windowOn((await connect(t, url)).valkey, 10)];
  const decisions = await Promise.all(Array.from({ length: 30 }, async (_, at) => nodes[at % 2]!.take('client')));
  assert.equal(decisions.filter(({ allowed }) => allowed).length, 10);
  const { allowed, limit, remaining, resetMs } = await nodes[0]!.take('client');
  assert.deepEqual({ allowed, limit, remaining }, { allowed: false, limit: 10, remaining: 0 });
  assert.ok(resetMs > 0 && resetMs <= MINUTE_MS);
  // A refused request costs nothing, a cost known afterwards may exceed the limit, and looking starts no window.
  assert.equal((await nodes[0]!.peek('other')).resetMs, 0);
  assert.equal((await nodes[0]!.take('other', 11)).allowed, false);
  assert.equal((await nodes[0]!.take('other', 10)).allowed, true);
  assert.equal((await nodes[1]!.peek('other')).allowed, false);
  await nodes[0]!.add('third', 25);
  assert.deepEqual((await nodes[1]!.peek('third')).remaining, 0);
});

test('attempts at all nodes count together, by the rule of the database', needs, async (t) => {
  const { url } = await startValkey(t);
  const nodes = await Promise.all(
    Array.from({ length: 2 }, async () => sharedAttempts((await connect(t, url)).valkey)),
  );
  const [one, other] = nodes as [SharedAttempts, SharedAttempts];
  const waits = await Promise.all(
    Array.from({ length: 20 }, (_, at) => nodes[at % 2]!.count(['address', `account ${at}`])),
  );
  assert.equal(waits.filter((wait) => wait === 0).length, throttleRule.freeFailures);
  for (const wait of waits) assert.ok(wait !== undefined && wait <= throttleRule.firstWaitMs, `${wait} ms`);
  // A refused attempt is counted for none of its keys.
  const refused = waits.findIndex((wait) => wait !== 0);
  for (let failure = 0; failure < throttleRule.freeFailures; failure += 1)
    assert.equal(await one.count([`account ${refused}`]), 0);
  assert.ok((await one.count([`account ${refused}`]))! > 0);
  // One attempt is taken back, and those of a cleared key are forgotten.
  other.refund({ cleared: [`account ${refused}`], refunded: ['address'] });
  await until('the refund', async () => (await one.count(['address'])) === 0);
  assert.ok((await one.count(['address']))! > 0);
  assert.equal(await one.count([`account ${refused}`]), 0);
});

test('other nodes hear that there are changes, also after the server was restarted', needs, async (t) => {
  const server = await startValkey(t);
  const [here, there] = [await connect(t, server.url), await connect(t, server.url)];
  const [announcing, listening] = [sharedChanges(here.valkey), sharedChanges(there.valkey)];
  const heard = { own: 0, others: 0 };
  announcing.listen(() => (heard.own += 1));
  const stop = listening.listen(() => (heard.others += 1));
  const isHeard = async (): Promise<void> => {
    const before = heard.others;
    await until('the other node to hear it', () => {
      if (heard.others === before) announcing.announce();
      return heard.others > before;
    });
  };
  await isHeard();
  await server.kill();
  await until('the loss to be noticed', () => here.events.includes('down'));
  announcing.announce();
  await server.start();
  await until('the connection', () => here.events.at(-1) === 'up');
  await isHeard();
  assert.equal(heard.own, 0);
  stop();
});

test('without the server each node counts separately, logs this once, and recovers', needs, async (t) => {
  const server = await startValkey(t);
  const { valkey, events } = await connect(t, server.url);
  const window = windowOn(valkey, 2);
  await window.take('client');
  await window.take('client');
  await server.kill();
  await until('the loss to be noticed', () => events.includes('down'));
  const begun = performance.now();
  assert.equal((await window.take('client')).remaining, 1);
  assert.equal(await sharedAttempts(valkey).count(['client']), undefined);
  assert.ok(performance.now() - begun < 5000, 'a request does not wait for a server that is down');
  await window.take('client');
  assert.equal((await window.take('client')).allowed, false);
  assert.deepEqual(events, ['up', 'down']);
  await server.start();
  await until('the connection', () => events.at(-1) === 'up');
  assert.equal((await window.take('client')).remaining, 1);
  assert.deepEqual(events, ['up', 'down', 'up']);
});

test(
  'while the server refuses writes each node counts alone; an emptied server counts again from zero',
  needs,
  async (t) => {
    const { url } = await startValkey(t);
    const { valkey, events } = await connect(t, url);
    const window = windowOn(valkey, 5);
    const command = (...words: [string, ...string[]]) => valkey.attempt((client) => client.call(...words));
    for (const [refuse, accept] of [
      ['config set maxmemory 1', 'config set maxmemory 0'],
      ['replicaof 127.0.0.1 1', 'replicaof no one'],
    ] as const) {
      await window.take('client', 3);
      await command(...(refuse.split(' ') as [string]));
      const before = events.length;
      assert.equal((await window.take(refuse, 2)).remaining, 3);
      assert.equal((await window.take(refuse, 1)).remaining, 2);
      assert.deepEqual(events.slice(before), ['down']);
      await until(
        'the server to accept writes',
        async () => (await command(...(accept.split(' ') as [string]))) !== undefined,
      );
      assert.equal(events.at(-1), 'up');
      assert.equal((await window.peek('client')).remaining, 2);
      await command('flushall');
      assert.equal((await window.take('client')).remaining, 4);
      await command('flushall');
    }
  },
);

test('a frozen server delays a request by half a second at most, and later ones not at all', needs, async (t) => {
  const server = await startValkey(t);
  const { valkey, events } = await connect(t, server.url);
  server.signal('SIGSTOP');
  t.after(() => server.signal('SIGCONT'));
  assert.equal(await valkey.attempt((client) => client.get('x')), undefined);
  assert.deepEqual(events, ['up', 'down']);
  let wasSent = false;
  await valkey.attempt(async () => {
    wasSent = true;
  });
  assert.equal(wasSent, false);
  server.signal('SIGCONT');
  await until('an answer', async () => (await valkey.attempt((client) => client.get('x'))) !== undefined);
  assert.equal(events.at(-1), 'up');
});

test('one node runs a job and the others use its result; the claim of a dead node is passed on', needs, async (t) => {
  const { url } = await startValkey(t);
  const [one, other] = [(await connect(t, url)).valkey, (await connect(t, url)).valkey];
  const { signal } = new AbortController();
  const finish = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const first = oneNodeRuns(one)('key', signal, async () => {
    started.resolve();
    await finish.promise;
    await one.attempt((client) => client.set('result:key', '{}', 'PX', MINUTE_MS));
    return 'first';
  });
  await started.promise;
  const second = oneNodeRuns(other)('key', signal, async () => 'second');
  finish.resolve();
  assert.deepEqual(await Promise.all([first, second]), ['first', undefined]);
  // No result, and the claim is released: the second node runs the job itself.
  const failed = oneNodeRuns(one)('other', signal, async () => 'failed');
  assert.deepEqual([await failed, await oneNodeRuns(other)('other', signal, async () => 'ran')], ['failed', 'ran']);
  await one.attempt((client) => client.set('compiling:third', 'a node that has died', 'PX', 50));
  assert.equal(await oneNodeRuns(other)('third', signal, async () => 'ran'), 'ran');
});

test('viewers of the live log see the queries of all nodes once', needs, async (t) => {
  const { url } = await startValkey(t);
  type Listener = (records: readonly QueryRecord[], missed: number) => void;
  const node = async () => {
    const listeners = new Set<Listener>();
    const { valkey } = await connect(t, url);
    const { watch, stop } = sharedLiveLog(valkey, (account, listener) => {
      assert.equal(account, 'a');
      listeners.add(listener);
      return () => void listeners.delete(listener);
    });
    t.after(stop);
    const log = (domain: string): void => {
      for (const listener of listeners) listener([{ domain, account: 'a' } as QueryRecord], 0);
    };
    return { watch, log, listeners };
  };
  const [one, other] = [await node(), await node()];
  const seen: string[] = [];
  const stop = one.watch('a', (records) => seen.push(...records.map(({ domain }) => domain)));
  await until('the other node to publish', () => other.listeners.size === 1);
  // Subscribing takes a moment of its own.
  await until('a query of the other node', () => {
    if (!seen.includes('there.example')) other.log('there.example');
    return seen.includes('there.example');
  });
  one.log('here.example');
  assert.equal(seen.filter((domain) => domain === 'here.example').length, 1);
  stop();
  assert.equal(one.listeners.size, 0);
});
