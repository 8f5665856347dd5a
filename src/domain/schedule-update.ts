import { isObject } from '../kit/is-object.ts';
import { isWholeNumber, type Read, refuse } from './read-update.ts';
import { type DayInterval, type Week, type Weekday, weekdays } from './schedule.ts';

/** Minutes since midnight; absent fields stay unchanged. */
export type DayUpdate = {
  readonly day: Weekday;
  readonly enabled?: boolean | undefined;
  readonly fromMinute?: number | undefined;
  readonly toMinute?: number | undefined;
};

const LAST_MINUTE = 24 * 60 - 1;

/** Absent days stay unchanged; a day may be given only once. */
export const readWeek: Read<Week> = (requested, current, field, errors) => {
  if (!Array.isArray(requested)) return refuse(current, field, 'must be an array', errors);
  const intervalByDay = new Map<Weekday, DayInterval>();
  for (const [index, entry] of (requested as unknown[]).entries()) {
    const path = `${field}[${index}]`;
    const day = isObject(entry) ? weekdays.find((name) => name === entry['day']) : undefined;
    if (!day) errors.add(`${path}.day_of_week`, `must be one of ${weekdays.join(', ')}`);
    else if (intervalByDay.has(day)) errors.add(`${path}.day_of_week`, `${day} is given twice`);
    else intervalByDay.set(day, readDay(entry, current[day], path, errors));
  }
  return { ...current, ...Object.fromEntries(intervalByDay) };
};

const readDay: Read<DayInterval> = (requested, current, field, errors) => {
  const {
    enabled = current.enabled,
    fromMinute = current.fromMinute,
    toMinute = current.toMinute,
  } = requested as Readonly<Record<string, unknown>>;
  const faulty = [
    typeof enabled !== 'boolean' && ([`${field}.enabled`, 'must be true or false'] as const),
    !isMinute(fromMinute) && ([`${field}.from_time`, 'must be a time from 0:00 to 23:59'] as const),
    !isMinute(toMinute) && ([`${field}.to_time`, 'must be a time from 0:00 to 23:59'] as const),
    isMinute(fromMinute) &&
      isMinute(toMinute) &&
      toMinute < fromMinute &&
      ([`${field}.to_time`, 'must not be before from_time'] as const),
  ].filter((fault) => fault !== false);
  for (const [path, message] of faulty) errors.add(path, message);
  return faulty.length > 0 ? current : ({ enabled, fromMinute, toMinute } as DayInterval);
};

const isMinute = (value: unknown): value is number => isWholeNumber(value, 0, LAST_MINUTE);
