import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, completeBuckets, isLastUnfinished, previousPeriod } from './complete-buckets.ts';

const HOUR = 3_600_000;
const buckets = (start: number, ...counts: number[]) =>
  counts.map((queries, index) => ({ time_millis: start + index * HOUR, queries }));
const queries = (bucket: { queries: number }): number => bucket.queries;

test('the last bucket is unfinished until its end', () => {
  const three = buckets(0, 1, 1, 1);
  assert.equal(isLastUnfinished(three, 3 * HOUR - 1), true);
  assert.equal(isLastUnfinished(three, 3 * HOUR), false);
  assert.equal(completeBuckets(three, 3 * HOUR - 1).length, 2);
  assert.equal(completeBuckets(three, 3 * HOUR).length, 3);
  assert.equal(isLastUnfinished([], 0), false);
});

test('a change compares complete buckets with as many before', () => {
  const before = buckets(-3 * HOUR, 10, 10, 80);
  const now = buckets(0, 15, 15, 1);
  assert.equal(changeOf(now, before, queries, 2.5 * HOUR), 0.5, 'without the last bucket on both sides');
  assert.equal(changeOf(now, before, queries, 3 * HOUR), 31 / 100 - 1);
  assert.equal(changeOf(now, buckets(-3 * HOUR, 0, 0, 5), queries, 2.5 * HOUR), undefined);
  assert.equal(changeOf([], before, queries, 0), undefined);
});

test('the previous period has the same length and ends where this one starts', () => {
  assert.deepEqual(previousPeriod({ kind: 'last', minutes: 60 }, 10 * HOUR), {
    kind: 'range',
    from: 8 * HOUR,
    to: 9 * HOUR,
  });
});
