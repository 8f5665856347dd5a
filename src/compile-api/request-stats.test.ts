import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestStats } from './request-stats.ts';

const MINUTE = 60_000;

test('requests are counted by endpoint, with their errors', () => {
  const stats = requestStats(() => 0);
  stats.record('/compile', 10, undefined);
  stats.record('/compile', 20, 'no');
  stats.record('/compile', 30, 'no');
  stats.record('/other', 1, undefined);
  assert.deepEqual(stats.summary(), {
    '/compile': { count: 3, success: 1, failed: 2, avgDuration: 20, errors: { no: 2 } },
    '/other': { count: 1, success: 1, failed: 0, avgDuration: 1, errors: {} },
  });
});

test('entries older than half an hour are dropped', () => {
  let now = 0;
  const stats = requestStats(() => now);
  stats.record('/compile', 10, 'old');
  now = 15 * MINUTE;
  stats.record('/compile', 20, 'new');
  now = 29 * MINUTE;
  assert.equal(stats.summary()['/compile']?.count, 2);
  now = 30 * MINUTE;
  assert.deepEqual(stats.summary()['/compile'], {
    count: 1,
    success: 0,
    failed: 1,
    avgDuration: 20,
    errors: { new: 1 },
  });
  now = 100 * MINUTE;
  assert.deepEqual(stats.summary(), {});
});

test('errors of all kinds do not fill the memory', () => {
  const stats = requestStats(() => 0);
  for (let at = 0; at < 1000; at++) stats.record('/compile', 1, `error ${at}`);
  const summary = stats.summary()['/compile'];
  assert.equal(summary?.failed, 1000);
  assert.equal(Object.keys(summary?.errors ?? {}).length, 100);
});
