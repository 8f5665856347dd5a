import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { until } from '../../test/support/kit/until.ts';
import { createWorkerPool, type PoolSettings } from './worker-pool.ts';

type Job =
  | { do: 'answer'; with: string }
  | { do: 'sleep'; ms: number }
  | { do: 'spin' }
  | { do: 'allow and spin'; ms: number }
  | { do: 'throw' }
  | { do: 'exit' }
  | { do: 'eat' }
  | { do: 'say'; words: string[] };

const settings: PoolSettings = {
  file: new URL('../../test/support/platform/pool-worker.ts', import.meta.url),
  workerData: undefined,
  size: 2,
  memoryBytes: 64 * 2 ** 20,
  timeLimitMs: 120_000,
  maxWaiting: 3,
};

function pool(t: TestContext, given: Partial<PoolSettings> = {}) {
  const made = createWorkerPool<Job, string, string>({ ...settings, ...given });
  t.after(made.close);
  const run = (job: Job, { client = 'somebody', signal = new AbortController().signal, heard = [] as string[] } = {}) =>
    made.run(job, { client, signal, onMessage: (message) => void heard.push(message) }).then(({ outcome }) => outcome);
  return { run, expectJob: made.expectJob, stats: made.stats, close: made.close };
}

test('a job is done in a thread, which is used again', async (t) => {
  const { run, stats } = pool(t);
  assert.equal(await run({ do: 'answer', with: 'one' }), 'one');
  assert.equal(await run({ do: 'answer', with: 'two' }), 'two');
  assert.deepEqual(stats(), { running: 0, waiting: 0, threads: 1 });
});

test('a thread that idles longer than allowed is ended, and its end is reported', async (t) => {
  let ended = 0;
  const { run, stats } = pool(t, { idleMs: 20, onEnded: () => void ended++ });
  assert.equal(await run({ do: 'answer', with: 'one' }), 'one');
  await until('its end', () => stats().threads === 0);
  assert.equal(ended, 1);
  assert.equal(await run({ do: 'answer', with: 'two' }), 'two');
});

test('while a job is expected, an idle thread is kept, within the size of the pool', async (t) => {
  let ended = 0;
  const { run, expectJob, stats } = pool(t, { size: 2, idleMs: 20, onEnded: () => void ended++ });
  const arrived = expectJob();
  assert.equal(stats().threads, 1);
  await setTimeout(60);
  assert.deepEqual([stats().threads, ended], [1, 0]);
  const first = run({ do: 'sleep', ms: 50 });
  assert.equal(stats().threads, 2, 'the next one starts');
  const second = run({ do: 'sleep', ms: 50 });
  assert.equal(stats().threads, 2);
  assert.deepEqual(await Promise.all([first, second]), ['slept', 'slept']);
  arrived();
  await until('their end', () => stats().threads === 0);
});

test('messages of a thread arrive in order', async (t) => {
  const heard: string[] = [];
  await pool(t).run({ do: 'say', words: ['a', 'b', 'c'] }, { heard });
  assert.deepEqual(heard, ['a', 'b', 'c']);
});

test('the failure of a thread affects its own job only', async (t) => {
  const { run } = pool(t, { size: 4 });
  const beside = run({ do: 'sleep', ms: 300 });
  await assert.rejects(run({ do: 'throw' }), { why: 'crashed' });
  await assert.rejects(run({ do: 'exit' }), { why: 'crashed' });
  await assert.rejects(run({ do: 'eat' }), { why: 'out of memory' });
  assert.equal(await beside, 'slept');
  assert.equal(await run({ do: 'answer', with: 'still here' }), 'still here');
});

test('a job that takes too long is ended', async (t) => {
  await assert.rejects(pool(t, { timeLimitMs: 200 }).run({ do: 'spin' }), { why: 'out of time' });
});

test('a step that exceeds its time limit is ended', async (t) => {
  const { run } = pool(t);
  await assert.rejects(run({ do: 'allow and spin', ms: 100 }), { why: 'patterns out of time' });
  assert.equal(await run({ do: 'answer', with: 'next' }), 'next');
});

test('a job is stopped, also one that does not listen, running or waiting', async (t) => {
  const { run } = pool(t, { size: 1 });
  const stop = new AbortController();
  const spinning = run({ do: 'spin' }, { signal: stop.signal });
  const waiting = run({ do: 'answer', with: 'x' }, { signal: stop.signal });
  await setTimeout(50);
  stop.abort();
  await assert.rejects(waiting, { why: 'stopped' });
  await assert.rejects(spinning, { why: 'stopped' });
  await assert.rejects(run({ do: 'answer', with: 'x' }, { signal: stop.signal }), { why: 'stopped' });
  assert.equal(await run({ do: 'answer', with: 'next' }), 'next');
});

test('the number of waiting jobs is limited', async (t) => {
  const { run } = pool(t, { size: 1, maxWaiting: 1 });
  const running = run({ do: 'sleep', ms: 100 });
  const waiting = run({ do: 'answer', with: 'waited' });
  await assert.rejects(run({ do: 'answer', with: 'x' }), { why: 'too many waiting' });
  assert.deepEqual([await running, await waiting], ['slept', 'waited']);
});

test('the client with fewer running jobs is served first', async (t) => {
  const { run } = pool(t, { size: 2 });
  const order: string[] = [];
  const job = (client: string, name: string) => run({ do: 'sleep', ms: 50 }, { client }).then(() => order.push(name));
  await Promise.all([
    job('greedy', 'greedy 1'),
    job('greedy', 'greedy 2'),
    job('greedy', 'greedy 3'),
    job('greedy', 'greedy 4'),
    job('modest', 'modest 1'),
  ]);
  assert.ok(order.indexOf('modest 1') < order.indexOf('greedy 4'), order.join());
});

test('closing ends all threads and rejects waiting jobs', async (t) => {
  const { run, close, stats } = pool(t, { size: 1 });
  const jobs = [run({ do: 'spin' }), run({ do: 'answer', with: 'x' })];
  const ends = Promise.allSettled(jobs);
  await setTimeout(50);
  await close();
  assert.deepEqual(
    (await ends).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(stats().threads, 0);
  await assert.rejects(run({ do: 'answer', with: 'x' }), { why: 'stopped' });
});
