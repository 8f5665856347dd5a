import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterAnswer,
  afterFailure,
  type Failure,
  type Health,
  hedgeMs,
  isTrialDue,
  overdueMs,
  unknownHealth,
} from './health.ts';

const timeout: Failure = { why: 'timeout', elapsedMs: 1000 };
const times = (count: number, failure: Failure, { from = unknownHealth, now = 0, random = 0.999 } = {}): Health => {
  let health = from;
  for (let i = 0; i < count; i++) health = afterFailure(health, failure, now, random);
  return health;
};

test('three failures in a row put an upstream out, two do not', () => {
  assert.equal(times(2, timeout).out, undefined);
  assert.ok(times(3, timeout).out);
});

test('an answer between them restarts the count', () => {
  const health = times(2, timeout, { from: afterAnswer(times(2, timeout), 20) });
  assert.equal(health.out, undefined);
});

test('an upstream that requests a pause is suspended at once, for that time', () => {
  const { out } = afterFailure(unknownHealth, { why: 'status', elapsedMs: 5, retryAfterMs: 7000 }, 100, 0.5);
  assert.equal(out?.trialAt, 7100);
});

test('a trial is due after a second at most, and after each that fails twice as late', () => {
  let health = times(3, { why: 'certificate', elapsedMs: 3 });
  let now = 0;
  const waits: number[] = [];
  for (let trial = 0; trial < 8; trial++) {
    const { trialAt } = health.out!;
    waits.push(Math.round((trialAt - now) / 1000));
    assert.equal(isTrialDue(health, trialAt - 1), false);
    assert.equal(isTrialDue(health, trialAt), true);
    now = trialAt;
    health = afterFailure(health, { why: 'certificate', elapsedMs: 3 }, now + 3, 0.999);
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 30, 30, 30]);
});

test('one that is silent is tried every four seconds, so that its return is seen within five', () => {
  let health = times(3, timeout);
  let begun = 0;
  const waits: number[] = [];
  for (let trial = 0; trial < 6; trial++) {
    waits.push(Math.round((health.out!.trialAt - begun) / 1000));
    begun = health.out!.trialAt;
    health = afterFailure(health, timeout, begun + timeout.elapsedMs, 0.999);
  }
  assert.deepEqual(waits, [1, 2, 4, 4, 4, 4]);
});

test('jitter shortens a wait by a quarter at most and never lengthens it', () => {
  for (const random of [0, 0.3, 0.999]) {
    const { out } = times(3, timeout, { random });
    assert.ok(out!.trialAt >= 750 && out!.trialAt <= 1000);
  }
});

test('queries sent before the outage do not make the wait longer', () => {
  const health = times(3, timeout);
  assert.deepEqual(times(50, timeout, { from: health, now: 10 }).out, health.out);
});

test('an answer ends the suspension', () => {
  const health = afterAnswer(times(9, timeout), 30);
  assert.equal(health.out, undefined);
  assert.equal(health.failures, 0);
});

test('the latency is smoothed, and waiting in vain makes it longer', () => {
  const fast = afterAnswer(unknownHealth, 20);
  assert.equal(fast.latencyMs, 20);
  assert.equal(afterAnswer(fast, 100).latencyMs, 30);
  assert.equal(afterFailure(fast, timeout, 0, 0).latencyMs, 20 + 980 / 8);
  assert.equal(afterFailure(fast, { why: 'unreachable', elapsedMs: 1 }, 0, 0).latencyMs, 20);
});

test('another upstream is queried after twice the usual latency, within limits', () => {
  const at = (latencyMs: number | undefined) => hedgeMs({ ...unknownHealth, latencyMs });
  assert.deepEqual([undefined, 1, 20, 150, 400, 3000].map(at), [300, 200, 200, 300, 800, 1000]);
});

test('an answer is overdue after one to two seconds', () => {
  const at = (latencyMs: number | undefined) => overdueMs({ ...unknownHealth, latencyMs });
  assert.deepEqual([undefined, 20, 400, 3000].map(at), [1000, 1000, 1600, 2000]);
});
