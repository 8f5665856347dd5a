import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Week, weekdays } from '../../domain/schedule.ts';
import { minuteFromWire, weekToWire } from './schedule.ts';

test('times of day are hours and minutes on the wire, and minutes of the day inside', () => {
  const day = { enabled: true, fromMinute: 61, toMinute: 1439 };
  const week = Object.fromEntries(weekdays.map((name) => [name, day])) as Week;
  const { daily_schedule: days } = weekToWire(week);
  assert.deepEqual(
    days.map(({ day_of_week: name }) => name),
    [...weekdays],
  );
  assert.deepEqual(
    [days[0]!.from_time, days[0]!.to_time],
    [
      { hours: 1, minutes: 1 },
      { hours: 23, minutes: 59 },
    ],
  );
  for (const { from_time: from, to_time: to } of days)
    assert.deepEqual([minuteFromWire(from), minuteFromWire(to)], [61, 1439]);
});
