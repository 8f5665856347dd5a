import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDay, lastHour, type Period, parsePeriod, periodText, rangeOf } from './period.ts';

test('a period survives the round trip through a URL', () => {
  const periods: readonly Period[] = [lastHour, lastDay, { kind: 'range', from: 1000, to: 2000 }];
  for (const period of periods) assert.deepEqual(parsePeriod(periodText(period)), period);
});

test('invalid periods are rejected', () => {
  for (const text of [undefined, '', '60', 'm', '2000-1000', '1-1', '-5m', '1e3m'])
    assert.equal(parsePeriod(text), undefined);
});

test('the last hour ends now', () => {
  assert.deepEqual(rangeOf(lastHour, 10_000_000), { from: 6_400_000, to: 10_000_000 });
});
