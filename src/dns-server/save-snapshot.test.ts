import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshotWriter } from './save-snapshot.ts';

test('changes that come together are written once, and those after it again', async () => {
  let times = 0;
  const keeping = snapshotWriter(
    async () => void times++,
    (problem) => assert.fail(String(problem)),
    5,
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
    1,
  );
  keeping.soon();
  await keeping.stop();
  assert.match(String(problems), /disk full/);
});
