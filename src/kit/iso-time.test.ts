import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTimes } from './iso-time.ts';

test('times are formatted as by Date.toISOString', () => {
  const written = isoTimes();
  const day = Date.UTC(2026, 1, 28);
  const around = [day - 1, day, day + 1, day + 9 * 3_600_000 + 5 * 60_000 + 7_089, day + 86_399_999, day + 86_400_000];
  for (const time of [...around, ...around.toReversed(), 0, -1, -86_400_001, Date.UTC(12_026, 0, 1)])
    assert.equal(`${written(time)}Z`, new Date(time).toISOString());
});
