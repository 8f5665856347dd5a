import type { ServerSettings } from '../../../api/wire.ts';

export type WireWeek = ServerSettings['parental_control_settings']['screen_time_schedule'];
export type WireDay = WireWeek['daily_schedule'][number];
export type DayName = WireDay['day_of_week'];

export const dayNames: readonly DayName[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
];

/** Pause of one day in minutes since midnight; 1440 is the end of the day. */
export type Pause = { readonly enabled: boolean; readonly from: number; readonly to: number };
export type Week = Readonly<Record<DayName, Pause>>;

export const DAY = 24 * 60;
export const STEP = 15;

// The API has no 24:00: a pause until 23:59 includes the last minute and means the end of the day.
const LAST = DAY - 1;
const toMinute = ({ hours, minutes }: WireDay['from_time']): number => hours * 60 + minutes;
const toTime = (minute: number): WireDay['from_time'] => {
  const clamped = Math.min(minute, LAST);
  return { hours: Math.floor(clamped / 60), minutes: clamped % 60 };
};

const noPause: Pause = { enabled: false, from: 0, to: DAY };

export function weekOf({ daily_schedule }: WireWeek): Week {
  const byDay = new Map(daily_schedule.map((day) => [day.day_of_week, day]));
  const pauseOf = (name: DayName): Pause => {
    const day = byDay.get(name);
    if (!day) return noPause;
    const to = toMinute(day.to_time);
    return { enabled: day.enabled, from: toMinute(day.from_time), to: to === LAST ? DAY : to };
  };
  return Object.fromEntries(dayNames.map((name) => [name, pauseOf(name)])) as Week;
}

export const weekToWire = (week: Week): WireWeek => ({
  daily_schedule: dayNames.map((day_of_week) => ({
    day_of_week,
    enabled: week[day_of_week].enabled,
    from_time: toTime(week[day_of_week].from),
    to_time: toTime(week[day_of_week].to),
  })),
});

const snap = (minute: number): number => Math.min(Math.max(Math.round(minute / STEP) * STEP, 0), DAY);

/** Moves one edge up to the other one. */
export const moveEdge = (pause: Pause, edge: 'from' | 'to', minute: number): Pause =>
  edge === 'from'
    ? { ...pause, from: Math.min(snap(minute), pause.to - 1) }
    : { ...pause, to: Math.max(snap(minute), pause.from + 1) };

/** Pause between two points of a drag, at least one step long. */
export function pauseBetween(one: number, other: number): Pause {
  const [from, to] = [snap(Math.min(one, other)), snap(Math.max(one, other))];
  return { enabled: true, from: Math.min(from, DAY - STEP), to: Math.max(to, Math.min(from, DAY - STEP) + STEP) };
}

/** Value of a time field; the end of the day is shown as 23:59. */
export const fieldText = (minute: number): string => {
  const { hours, minutes } = toTime(minute);
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
};

export function fromField(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
