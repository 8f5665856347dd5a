import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from './default-settings.ts';
import { isTimeZone, monthStart } from './local-time.ts';
import { isPaused, localTime, type Week } from './schedule.ts';

const noPause = defaultSettings().parental.pauseSchedule;

test('a pause begins with its first minute and ends after its last', () => {
  const week: Week = { ...noPause, MONDAY: { enabled: true, fromMinute: 60, toMinute: 120 } };
  const at = (minute: number): boolean => isPaused(week, { day: 'MONDAY', minute });
  assert.deepEqual([59, 60, 120, 121].map(at), [false, true, true, false]);
  assert.equal(isPaused(week, { day: 'TUESDAY', minute: 90 }), false);
});

test('a pause until 23:59 reaches midnight', () => {
  const week: Week = { ...noPause, MONDAY: { enabled: true, fromMinute: 0, toMinute: 1439 } };
  assert.equal(isPaused(week, localTime(Date.UTC(2026, 0, 5, 23, 59, 59, 999), 'UTC')), true);
  assert.equal(isPaused(week, localTime(Date.UTC(2026, 0, 6), 'UTC')), false);
});

test('a day that is switched off has no pause', () => {
  assert.equal(isPaused(noPause, { day: 'MONDAY', minute: 1300 }), false);
});

const clock = (iso: string, zone: string): string => {
  const { day, minute } = localTime(Date.parse(iso), zone);
  return `${day} ${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
};

const changes: readonly (readonly [zone: string, iso: string, shown: string])[] = [
  ['Europe/Berlin', '2026-03-29T00:59:00Z', 'SUNDAY 1:59'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 'SUNDAY 3:00'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z', 'SUNDAY 2:30'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', 'SUNDAY 2:30'],
  ['America/New_York', '2026-03-08T06:59:00Z', 'SUNDAY 1:59'],
  ['America/New_York', '2026-03-08T07:00:00Z', 'SUNDAY 3:00'],
  ['America/New_York', '2026-11-01T05:30:00Z', 'SUNDAY 1:30'],
  ['America/New_York', '2026-11-01T06:30:00Z', 'SUNDAY 1:30'],
  // Daylight saving time differs by half an hour.
  ['Australia/Lord_Howe', '2026-04-04T14:59:00Z', 'SUNDAY 1:59'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 'SUNDAY 1:30'],
  // The clock goes forward at midnight: the day begins at one.
  ['Africa/Cairo', '2024-04-25T21:59:00Z', 'THURSDAY 23:59'],
  ['Africa/Cairo', '2024-04-25T22:00:00Z', 'FRIDAY 1:00'],
  ['Asia/Kathmandu', '2026-01-01T18:15:00Z', 'FRIDAY 0:00'],
  ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', 'FRIDAY 0:00'],
];
for (const [zone, iso, shown] of changes) {
  test(`at ${iso} the clocks of ${zone} show ${shown}`, () => {
    assert.equal(clock(iso, zone), shown);
  });
}

const months: readonly (readonly [zone: string, now: string, start: string])[] = [
  ['UTC', '2026-02-28T23:59:59Z', '2026-02-01T00:00:00.000Z'],
  ['Europe/Berlin', '2026-03-31T21:59:59Z', '2026-02-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-31T22:00:00Z', '2026-03-31T22:00:00.000Z'],
  ['America/New_York', '2026-11-30T12:00:00Z', '2026-11-01T04:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  // There was no midnight: the month began at one.
  ['America/Asuncion', '2017-10-15T12:00:00Z', '2017-10-01T04:00:00.000Z'],
  // Midnight came twice.
  ['America/Havana', '2026-11-15T12:00:00Z', '2026-11-01T04:00:00.000Z'],
];
for (const [zone, now, start] of months) {
  test(`the month of ${now} in ${zone} began at ${start}`, () => {
    assert.equal(new Date(monthStart(Date.parse(now), zone)).toISOString(), start);
  });
}

test('each instant of four years lies in its month, in five zones', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Havana']) {
    for (let at = Date.UTC(2023, 0, 1); at < Date.UTC(2027, 0, 1); at += 97 * 3_600_000) {
      const start = monthStart(at, zone);
      assert.ok(start <= at && at - start < 31 * 86_400_000 + 3_600_001, `${zone} ${at}`);
      assert.equal(monthStart(start, zone), start);
      assert.ok(monthStart(start - 1, zone) < start);
    }
  }
});

test('time zones are those of IANA', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    assert.equal(isTimeZone(zone), true, zone);
  for (const zone of ['', 'Mars/Olympus', '+03:00', '../etc', 'Europe/Berlin\n', 'x'.repeat(100)])
    assert.equal(isTimeZone(zone), false, zone);
});
