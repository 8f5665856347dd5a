import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, fieldText, fromField, moveEdge, pauseBetween, weekOf, weekToWire } from './week.ts';

const pause = { enabled: true, from: 600, to: 720 };

test('a drawn pause snaps to 15 minutes in both directions', () => {
  assert.deepEqual(pauseBetween(722, 598), { enabled: true, from: 600, to: 720 });
  assert.deepEqual(pauseBetween(600, 601), { enabled: true, from: 600, to: 615 });
  assert.deepEqual(pauseBetween(DAY, DAY + 90), { enabled: true, from: DAY - 15, to: DAY });
});

test('an edge stops at the other one and at the ends of the day', () => {
  assert.equal(moveEdge(pause, 'from', 900).from, 719);
  assert.equal(moveEdge(pause, 'to', 0).to, 601);
  assert.equal(moveEdge(pause, 'from', -60).from, 0);
  assert.equal(moveEdge(pause, 'to', 5000).to, DAY);
});

test('the end of a day is 23:59 in the API and in fields', () => {
  const week = weekOf({
    daily_schedule: [
      {
        day_of_week: 'FRIDAY',
        enabled: true,
        from_time: { hours: 18, minutes: 0 },
        to_time: { hours: 23, minutes: 59 },
      },
    ],
  });
  assert.deepEqual(week.FRIDAY, { enabled: true, from: 18 * 60, to: DAY });
  assert.deepEqual(weekToWire(week).daily_schedule[4]?.to_time, { hours: 23, minutes: 59 });
  assert.equal(week.MONDAY.enabled, false);
  assert.equal(fieldText(DAY), '23:59');
  assert.equal(fromField('09:30'), 570);
  assert.equal(fromField(''), undefined);
});
