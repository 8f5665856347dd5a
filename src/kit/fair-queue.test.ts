import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairQueue, QueueFull } from './fair-queue.ts';

/** A queue with one slot, occupied until `release`; each job records its key when it runs. */
function busyQueue(limits: { maxWaiting: number; maxWaitingPerKey: number }) {
  const queue = fairQueue({ atOnce: 1, maxKnown: 2, ...limits });
  const ran: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run('first', () => gate.promise);
  const add = (key: string) =>
    queue
      .run(key, async () => void ran.push(key))
      .catch((error: Error) => {
        assert.ok(error instanceof QueueFull);
        ran.push(`no ${key}`);
      });
  const release = (): Promise<void> => {
    gate.resolve();
    return first;
  };
  return { queue, ran, add, release };
}

test('keys take turns, independent of their queue lengths', async () => {
  const { ran, add, release } = busyQueue({ maxWaiting: 10, maxWaitingPerKey: 5 });
  const jobs = ['a', 'a', 'a', 'b', 'c', 'c'].map(add);
  await release();
  await Promise.all(jobs);
  assert.deepEqual(ran, ['a', 'b', 'c', 'a', 'c', 'a']);
});

test('keys have a limit, and a full queue drops a job of the key with the most', async () => {
  const { queue, ran, add, release } = busyQueue({ maxWaiting: 4, maxWaitingPerKey: 3 });
  const jobs = ['a', 'a', 'a', 'a', 'b', 'c'].map(add);
  await Promise.resolve();
  assert.equal(queue.hasRoom('d'), true);
  jobs.push(add('d'));
  assert.equal(queue.hasRoom('e'), false);
  jobs.push(add('e'));
  await release();
  await Promise.all(jobs);
  assert.deepEqual(ran.filter((key) => key.startsWith('no')).sort(), ['no a', 'no a', 'no a', 'no e']);
  assert.deepEqual(
    ran.filter((key) => !key.startsWith('no')),
    ['a', 'b', 'c', 'd'],
  );
});

test('known keys have separate slots, and every other turn', async () => {
  const { queue, ran, add, release } = busyQueue({ maxWaiting: 3, maxWaitingPerKey: 2 });
  queue.noteKnown('home');
  const jobs = ['a', 'b', 'c', 'home', 'home'].map(add);
  await release();
  await Promise.all(jobs);
  assert.deepEqual(ran, ['home', 'a', 'home', 'b', 'c']);
});

test('a failed job passes its slot to the next', async () => {
  const queue = fairQueue({ atOnce: 1, maxWaiting: 2, maxWaitingPerKey: 2, maxKnown: 1 });
  const failing = queue.run('a', async () => assert.fail('broken'));
  const next = queue.run('a', async () => 'ran');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'ran');
  assert.equal(await queue.run('b', async () => 'again'), 'again');
});
