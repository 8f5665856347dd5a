import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { canRaisePriority, lowerThreadPriority, lowerV8Threads, raiseThreadPriority } from './thread-priority.ts';

const isLinux = process.platform === 'linux';

/** Empty for a thread that ended meanwhile, for example of another test. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
}

const v8Threads = (): readonly number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => nameOf(thread) === 'V8Worker')
    .map(Number);

if (!isMainThread) {
  if (workerData === 'raised') raiseThreadPriority();
  else lowerThreadPriority('background');
  parentPort!.postMessage(getPriority());
} else {
  test('a thread lowers its own priority and no other', { skip: !isLinux }, async () => {
    const before = getPriority();
    const [lowered] = (await once(new Worker(new URL(import.meta.url)), 'message')) as [number];
    assert.equal(lowered, Math.min(19, before + 10));
    assert.equal(getPriority(), before);
  });

  const isAllowed = isLinux && canRaisePriority();
  test('a thread raises its own priority and no other', { skip: !isAllowed && 'not allowed here' }, async () => {
    const before = getPriority();
    const worker = new Worker(new URL(import.meta.url), { workerData: 'raised' });
    const [raised] = (await once(worker, 'message')) as [number];
    assert.equal(raised, before - 10);
    assert.equal(getPriority(), before);
  });

  test('the threads of V8 are lowered, the main thread is not', { skip: !isLinux }, () => {
    const before = getPriority();
    lowerV8Threads();
    assert.ok(v8Threads().length > 0);
    for (const thread of v8Threads()) assert.equal(getPriority(thread), Math.min(19, before + 5));
    assert.equal(getPriority(), before);
  });
}
