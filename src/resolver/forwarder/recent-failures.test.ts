import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentFailuresMemory, openRecentFailures } from './recent-failures.ts';

test('a failure is known to all threads for five seconds', () => {
  const memory = createRecentFailuresMemory();
  const clock = { now: 100 };
  const [one, other] = [1, 2].map(() => openRecentFailures(memory, () => clock.now));
  one!.add(-5, 7);
  assert.equal(other!.has(-5, 7), true);
  assert.equal(other!.has(5, 7), false);
  clock.now = 104;
  assert.equal(other!.has(-5, 7), true);
  clock.now = 105;
  assert.equal(other!.has(-5, 7), false);
});
