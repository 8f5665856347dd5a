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

test('as many jobs run as are allowed, and the next begins when one ends', async () => {
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

test('it is over when the last job is', async () => {
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

test('one at a time is one after the other', async () => {
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
