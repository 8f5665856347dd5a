import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { firstCheckMs, nextCheckMs } from './next-check.ts';

test('a list is checked at the usual interval, with jitter', () => {
  const after = (random: number): number => nextCheckMs(HOUR_MS, { failures: 0, random });
  assert.equal(after(0), 54 * MINUTE_MS);
  assert.equal(after(0.5), HOUR_MS);
  assert.ok(after(0.999) < 66 * MINUTE_MS);
});

test('after failures it is checked again soon, then less often, but at least at the usual interval', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((failures) => nextCheckMs(HOUR_MS, { failures, random: 0.5 }));
  assert.deepEqual(
    waits.map((ms) => ms / MINUTE_MS),
    [1, 2, 4, 8, 16, 32, 60, 60, 60],
  );
});

test('Retry-After is respected, but a check is postponed by at most a day', () => {
  const after = (retryAfterMs: number): number => nextCheckMs(HOUR_MS, { failures: 1, retryAfterMs, random: 0.5 });
  assert.equal(after(10), MINUTE_MS);
  assert.equal(after(3 * HOUR_MS), 3 * HOUR_MS);
  assert.equal(after(1000 * HOUR_MS), 24 * HOUR_MS);
});

const now = 1_000 * HOUR_MS;
const first = (triedAt: number | undefined, hasProblem = false, random = 0): number =>
  firstCheckMs(HOUR_MS, { triedAt, problem: hasProblem ? { times: 1 } : undefined, now }, random);

test('after a start, a list that was never fetched is fetched at once', () => {
  assert.equal(first(undefined), 0);
});

test('after a start, a list is checked when it would have been', () => {
  assert.equal(first(now - 20 * MINUTE_MS), 40 * MINUTE_MS);
  assert.equal(first(now - 20 * MINUTE_MS, false, 0.5), 37 * MINUTE_MS);
  assert.equal(first(now - 500 * HOUR_MS), 0);
});

test('after a start, a list with a problem is checked within a minute', () => {
  assert.equal(first(now - 5, true, 0), 0);
  assert.equal(first(now - 5, true, 0.5), MINUTE_MS / 2);
});

test('a clock that was set back does not delay a check beyond the usual interval', () => {
  assert.equal(first(now + 9_000 * HOUR_MS), HOUR_MS);
});

test('a source that takes too long is checked less and less often, up to every six hours', () => {
  const waits = [1, 2, 3, 4, 5, 6, 100].map((failures) =>
    nextCheckMs(HOUR_MS, { failures, isSlow: true, random: 0.5 }),
  );
  assert.deepEqual(
    waits.map((ms) => ms / MINUTE_MS),
    [1, 4, 16, 64, 256, 360, 360],
  );
});

test('a start does not shorten the wait for a source that takes too long', () => {
  const problem = { times: 3, isSlow: true };
  const after = (triedAt: number): number => firstCheckMs(HOUR_MS, { triedAt, problem, now }, 0.5);
  assert.equal(after(now - MINUTE_MS), 15 * MINUTE_MS);
  assert.equal(after(now - HOUR_MS), 0);
});
