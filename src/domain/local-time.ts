import { DAY_MS } from '../kit/durations.ts';

export type LocalParts = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
};

// Creating a formatter costs a hundred times as much as using it; there are a few hundred zones.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}

/** Local date and time of a zone. */
export function localParts(now: number, timeZone: string): LocalParts {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(now)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute };
}

/** An IANA name such as Europe/Berlin. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch (error) {
    // Intl reports unknown zones only by throwing.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Start of the local day after `now`; its first existing minute if the clock skips midnight. */
export function nextDayStart(now: number, timeZone: string): number {
  const { year, month, day } = localParts(now, timeZone);
  const asIfUtc = Date.UTC(year, month - 1, day + 1);
  const wanted = new Date(asIfUtc).getUTCDate();
  const candidates = [asIfUtc - DAY_MS, asIfUtc + DAY_MS]
    .map((near) => asIfUtc - offsetMs(near, timeZone))
    .filter((instant) => localParts(instant, timeZone).day === wanted);
  return Math.min(...candidates);
}

/** Start of the local month of `now`. */
export function monthStart(now: number, timeZone: string): number {
  const { year, month } = localParts(now, timeZone);
  const asIfUtc = Date.UTC(year, month - 1, 1);
  const candidates = [asIfUtc - DAY_MS, asIfUtc + DAY_MS]
    .map((near) => asIfUtc - offsetMs(near, timeZone))
    .filter((instant) => localParts(instant, timeZone).month === month);
  // If the clock changes at midnight, the earlier candidate is right.
  return Math.min(...candidates);
}

function offsetMs(instant: number, timeZone: string): number {
  const { year, month, day, hour, minute } = localParts(instant, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / 60_000) * 60_000;
}
