import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketsOf, byQueries, coarsely, countedBucketsOf, zeroFilled } from './statistics.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const noon = Date.UTC(2026, 10, 15, 12);
const unitOf = (from: number, to: number): string => bucketsOf({ from, to }, noon).unit;

test('ranges up to two hours have buckets of a minute, up to eight days of an hour, longer ones of a day', () => {
  assert.equal(unitOf(noon - 2 * HOUR, noon), 'minute');
  assert.equal(unitOf(noon - 2 * HOUR - 1, noon), 'hour');
  assert.equal(unitOf(noon - 8 * DAY, noon), 'hour');
  assert.equal(unitOf(noon - 8 * DAY - 1, noon), 'day');
});

test('a short range of long ago has the same buckets and is counted from the data that is still stored', () => {
  const countedIn = (from: number, to: number): string => countedBucketsOf({ from, to }, noon).unit;
  assert.equal(unitOf(noon - 2 * DAY, noon - 2 * DAY + HOUR), 'minute');
  assert.equal(countedIn(noon - 2 * DAY, noon - 2 * DAY + HOUR), 'hour');
  assert.equal(unitOf(noon - 200 * DAY, noon - 200 * DAY + HOUR), 'minute');
  assert.equal(countedIn(noon - 200 * DAY, noon - 200 * DAY + HOUR), 'day');
  assert.equal(countedIn(noon - 2 * HOUR, noon), 'minute');
});

test('buckets begin at their unit in UTC, and the last one contains the end', () => {
  assert.deepEqual(bucketsOf({ from: noon - DAY + 1, to: noon }, noon), {
    unit: 'hour',
    width: HOUR,
    first: noon - DAY,
    last: noon,
  });
});

test('ranges beyond the retention have no additional buckets', () => {
  const buckets = bucketsOf({ from: -8.64e15, to: 8.64e15 }, noon);
  assert.ok((buckets.last - buckets.first) / buckets.width < 1101);
});

test('a range that ends before it begins has no buckets', () => {
  assert.deepEqual(zeroFilled(bucketsOf({ from: noon, to: noon - DAY }, noon), new Map()), []);
});

test('buckets without queries are zero', () => {
  const buckets = { unit: 'hour', width: HOUR, first: 0, last: 2 * HOUR } as const;
  const one = { queries: 3, blocked: 1, companies: 2 };
  const none = { queries: 0, blocked: 0, companies: 0 };
  assert.deepEqual(zeroFilled(buckets, new Map([[HOUR, one]])), [
    { time: 0, value: none },
    { time: HOUR, value: one },
    { time: 2 * HOUR, value: none },
  ]);
});

test('whole days are counted by day, and every hour is in exactly one part', () => {
  for (const [first, last] of [
    [noon - 3 * DAY, noon],
    [noon, noon + 30 * HOUR],
    [noon - (noon % DAY), noon + 11 * HOUR],
    [noon - (noon % DAY), noon + 12 * HOUR],
  ] as const) {
    const parts = coarsely({ unit: 'hour', width: HOUR, first, last });
    const hours = parts.flatMap((part) => {
      const count = part.unit === 'day' ? (part.last - part.first + DAY) / HOUR : (part.last - part.first) / HOUR + 1;
      return Array.from({ length: count }, (_, hour) => part.first + hour * HOUR);
    });
    assert.deepEqual(
      hours,
      Array.from({ length: (last - first) / HOUR + 1 }, (_, hour) => first + hour * HOUR),
    );
  }
});

test('a day is whole from its first hour to its last', () => {
  const midnight = noon - 12 * HOUR;
  assert.deepEqual(coarsely({ unit: 'hour', width: HOUR, first: midnight, last: midnight + 23 * HOUR }), [
    { unit: 'day', first: midnight, last: midnight },
  ]);
});

test('lists are ordered by queries, equals by name', () => {
  const rows = [
    { name: 'b', queries: 1 },
    { name: 'a', queries: 1 },
    { name: 'c', queries: 2 },
  ];
  rows.sort(
    byQueries(
      ({ queries }) => queries,
      ({ name }) => name,
    ),
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['c', 'a', 'b'],
  );
});
