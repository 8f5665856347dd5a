import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TestRequest } from '../../test/support/platform/rpc-worker.ts';
import { JobLost } from './job-thread.ts';
import { openSharedThread } from './shared-thread.ts';

function open(t: TestContext, given: { timeLimitMs?: number; idleMs?: number; onEnded?: () => void } = {}) {
  const thread = openSharedThread<TestRequest, string, unknown>({
    file: new URL('../../test/support/platform/rpc-worker.ts', import.meta.url),
    workerData: undefined,
    memoryBytes: 64 * 2 ** 20,
    timeLimitMs: 120_000,
    idleMs: 120_000,
    ...given,
  });
  t.after(() => thread.close());
  const run = (job: TestRequest, { signal = new AbortController().signal, onMessage = (): void => {} } = {}) =>
    thread.run(job, { signal, onMessage });
  return { ...thread, run };
}

const waiting = { do: 'wait for abort' } as const;
const crashedBy = (message: RegExp) => (error: unknown) =>
  error instanceof JobLost && error.why === 'crashed' && message.test((error.cause as Error).message);

test('jobs run concurrently in one thread', async (t) => {
  const { run, running } = open(t);
  const stop = new AbortController();
  const long = run(waiting, { signal: stop.signal });
  assert.equal(await run({ do: 'return', value: 1 }), 1);
  assert.equal(running(), 1);
  stop.abort();
  await assert.rejects(long, { why: 'stopped' });
  assert.equal(running(), 0);
  await assert.rejects(run(waiting, { signal: stop.signal }), { why: 'stopped' });
});

test('a job that takes too long is lost, the others are not', async (t) => {
  const { run } = open(t, { timeLimitMs: 1000 });
  await assert.rejects(run(waiting), { why: 'out of time' });
  assert.equal(await run({ do: 'return', value: 1 }), 1);
});

test('a job that fails does not end the thread', async (t) => {
  let ended = 0;
  const { run } = open(t, { onEnded: () => void ended++ });
  await assert.rejects(run({ do: 'fail', code: 'X' }), crashedBy(/^failed on purpose$/));
  assert.equal(await run({ do: 'return', value: 1 }), 1);
  assert.equal(ended, 0);
});

test('all jobs of a thread that dies are lost, and the next job has a new one', async (t) => {
  const { run } = open(t);
  const beside = run(waiting);
  await Promise.all([
    assert.rejects(beside, { why: 'crashed' }),
    assert.rejects(run({ do: 'exit' }), crashedBy(/ended with 3$/)),
  ]);
  assert.equal(await run({ do: 'return', value: 1 }), 1);
});

test('the thread ends when it idles', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { run } = open(t, { idleMs: 1, onEnded: resolve });
  await run({ do: 'return', value: 1 });
  await promise;
  assert.equal(await run({ do: 'return', value: 2 }), 2);
});

test('closing stops running jobs', async (t) => {
  const thread = open(t);
  const { run } = thread;
  const long = assert.rejects(run(waiting), { why: 'stopped' });
  await thread.close();
  await long;
  await assert.rejects(run({ do: 'return', value: 1 }), { why: 'stopped' });
});
