import { localParts } from './local-time.ts';

export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
export type Weekday = (typeof weekdays)[number];

/** Minutes since midnight; the last minute is included, so that 23:59 reaches midnight. */
export type DayInterval = { readonly enabled: boolean; readonly fromMinute: number; readonly toMinute: number };

export type Week = Readonly<Record<Weekday, DayInterval>>;

export type LocalTime = { readonly day: Weekday; readonly minute: number };

/** Local weekday and minute, in a zone that `isTimeZone` accepts. */
export function localTime(now: number, timeZone: string): LocalTime {
  const { year, month, day, hour, minute } = localParts(now, timeZone);
  const sundayFirst = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return { day: weekdays[(sundayFirst + 6) % 7]!, minute: hour * 60 + minute };
}

/** Uses the wall clock: hours that daylight saving time skips or repeats are skipped or repeated. */
export function isPaused(week: Week, { day, minute }: LocalTime): boolean {
  const { enabled, fromMinute, toMinute } = week[day];
  return enabled && minute >= fromMinute && minute <= toMinute;
}
