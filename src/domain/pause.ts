import { MINUTE_MS } from '../kit/durations.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type DomainError, invalid } from './domain-error.ts';
import { isTimeZone, nextDayStart } from './local-time.ts';
import { isWholeNumber } from './read-update.ts';

const MAX_MINUTES = 7 * 24 * 60;

/** Exactly one of the two members. */
export type PauseLength = { readonly minutes?: number | undefined; readonly until?: 'tomorrow' | undefined };

/** End of a pause that starts now; `tomorrow` is the next midnight in the time zone of the account. */
export function pauseEnd({ minutes, until }: PauseLength, now: number, timeZone: string): Result<number, DomainError> {
  if ((minutes === undefined) === (until === undefined))
    return err(invalid('minutes', 'give either `minutes` or `until`'));
  if (minutes === undefined) return ok(nextDayStart(now, isTimeZone(timeZone) ? timeZone : 'UTC'));
  if (!isWholeNumber(minutes, 1, MAX_MINUTES))
    return err(invalid('minutes', `must be a whole number from 1 to ${MAX_MINUTES}`));
  return ok(now + minutes * MINUTE_MS);
}
