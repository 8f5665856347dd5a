import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachLimit } from './concurrency.ts';

/** A job that records its progress and continues on request. */
function watchedJobs() {
  const started: number[] = [];
  const finish = new Map<number, () => void>();
  const fail = new Map<number, (error: Error) => void>();
  const job = (item: number): Promise<void> => {
    started.push(item);
    return new Promise((resolve, reject) => {
      finish.set(item, resolve);
      fail.set(item, reject);
    });
  };
  return {
    started,
    job,
    finish: (item: number) => finish.get(item)?.(),
    fail: (item: number, error: Error) => fail.get(item)?.(error),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the number of concurrent jobs is limited, and the next starts when one ends', async () => {
  const { started, job, finish } = watchedJobs();
  const all = forEachLimit(2, [1, 2, 3, 4], job);
  await settled();
  assert.deepEqual(started, [1, 2]);
  finish(2);
  await settled();
  assert.deepEqual(started, [1, 2, 3]);
  for (const item of [1, 3]) finish(item);
  await settled();
  finish(4);
  await all;
  assert.deepEqual(started, [1, 2, 3, 4]);
});

test('the call ends with the last job', async () => {
  const { job, finish } = watchedJobs();
  let isOver = false;
  const all = forEachLimit(3, [1, 2], job).then(() => {
    isOver = true;
  });
  await settled();
  finish(2);
  await settled();
  assert.equal(isOver, false);
  finish(1);
  await all;
  assert.equal(isOver, true);
});

test('with a limit of one, jobs run sequentially', async () => {
  const done: string[] = [];
  await forEachLimit(1, ['a', 'b', 'c'], async (item) => {
    done.push(`begin ${item}`);
    await settled();
    done.push(`end ${item}`);
  });
  assert.deepEqual(done, ['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
});

test('without items there is nothing to wait for', async () => {
  await forEachLimit(4, [], () => assert.fail('no item, no job'));
});

test('the first failure is thrown', async () => {
  const { job, fail } = watchedJobs();
  const all = forEachLimit(2, [1, 2], job);
  await settled();
  fail(2, new Error('second'));
  fail(1, new Error('first'));
  await assert.rejects(all, /second/);
});
