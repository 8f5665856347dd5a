import Type, { type Static } from 'typebox';
import { type Week, weekdays } from '../../domain/schedule.ts';
import { enumeration, int32, object } from './named.ts';

const DayOfWeek = enumeration('DayOfWeek', weekdays);

const ScheduleTime = object('ScheduleTime', 'A time of day.', {
  hours: int32({ minimum: 0, maximum: 23 }),
  minutes: int32({ minimum: 0, maximum: 59 }),
});

const ScheduleDay = object('ScheduleDay', 'One day of a schedule; the end minute is included.', {
  day_of_week: DayOfWeek,
  enabled: Type.Boolean(),
  from_time: ScheduleTime,
  to_time: ScheduleTime,
});

const ScheduleDayUpdate = object('ScheduleDayUpdate', 'Update of one day.', {
  day_of_week: DayOfWeek,
  enabled: Type.Optional(Type.Boolean()),
  from_time: Type.Optional(ScheduleTime),
  to_time: Type.Optional(ScheduleTime),
});

export const ScheduleWeek = object('ScheduleWeek', 'Weekly schedule; parental control is paused while it is active.', {
  daily_schedule: Type.Array(ScheduleDay),
});

export const ScheduleWeekUpdate = object(
  'ScheduleWeekUpdate',
  'Schedule update; days that are not given stay unchanged.',
  {
    daily_schedule: Type.Array(ScheduleDayUpdate, { maxItems: 100 }),
  },
);
export type ScheduleWeekUpdate = Static<typeof ScheduleWeekUpdate>;

const timeToWire = (minute: number): Static<typeof ScheduleTime> => ({
  hours: Math.floor(minute / 60),
  minutes: minute % 60,
});

export const minuteFromWire = ({ hours, minutes }: Static<typeof ScheduleTime>): number => hours * 60 + minutes;

export const weekToWire = (week: Week): Static<typeof ScheduleWeek> => ({
  daily_schedule: weekdays.map((day) => ({
    day_of_week: day,
    enabled: week[day].enabled,
    from_time: timeToWire(week[day].fromMinute),
    to_time: timeToWire(week[day].toMinute),
  })),
});
