import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeDevicesToWire, latenciesToWire, listsToWire } from './log-statistics.ts';

test('lists have the number of queries that they blocked, in the given order', () => {
  const rows = [
    { filterId: 'custom', blocked: 2 },
    { filterId: 'ads', blocked: 9 },
  ];
  assert.deepEqual(listsToWire(rows), {
    stats: [
      { filter_id: 'custom', blocked: 2 },
      { filter_id: 'ads', blocked: 9 },
    ],
  });
});

test('an interval without a known latency has no average; an average of 0 is shown', () => {
  const rows = [
    { time: 0, queries: 0, averageMs: undefined },
    { time: 60_000, queries: 4, averageMs: 0 },
    { time: 120_000, queries: 2, averageMs: 12.3 },
  ];
  assert.deepEqual(latenciesToWire(rows), {
    stats: [
      { time_millis: 0, queries: 0 },
      { time_millis: 60_000, queries: 4, average_millis: 0 },
      { time_millis: 120_000, queries: 2, average_millis: 12.3 },
    ],
  });
});

test('each interval has the number of active devices, also if it is 0', () => {
  assert.deepEqual(
    activeDevicesToWire([
      { time: 0, devices: 3 },
      { time: 3_600_000, devices: 0 },
    ]),
    {
      stats: [
        { time_millis: 0, devices: 3 },
        { time_millis: 3_600_000, devices: 0 },
      ],
    },
  );
});
