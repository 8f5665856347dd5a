import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshotWriter } from './save-snapshot.ts';

test('changes that come together are written once, and those after it again', async () => {
  let times = 0;
  const keeping = snapshotWriter(
    async () => void times++,
    (problem) => assert.fail(String(problem)),
    { soonMs: 5 },
  );
  keeping.soon();
  keeping.soon();
  await sleep(50);
  assert.equal(times, 1);
  keeping.soon();
  await keeping.stop();
  assert.equal(times, 2, 'at the end at once');
  await keeping.stop();
  assert.equal(times, 2, 'nothing had changed');
});

test('a failure is logged and does not block closing', async () => {
  const problems: unknown[] = [];
  const keeping = snapshotWriter(
    async () => {
      throw new Error('disk full');
    },
    (problem) => problems.push(problem),
    { soonMs: 1 },
  );
  keeping.soon();
  await keeping.stop();
  assert.match(String(problems), /disk full/);
});

test('closing does not wait for a database that does not answer', async () => {
  const keeping = snapshotWriter(
    () => new Promise(() => {}),
    (problem) => assert.fail(String(problem)),
    { soonMs: 1, stopMs: 20 },
  );
  keeping.soon();
  // Keeps the process alive: the timer of the writer does not.
  const hold = setInterval(() => {}, 1000);
  const startedAt = performance.now();
  await keeping.stop();
  clearInterval(hold);
  assert.ok(performance.now() - startedAt < 1000);
});
