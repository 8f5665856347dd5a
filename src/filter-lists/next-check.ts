import type { Problem } from './list-state.ts';

const FIRST_WAIT_MS = 60_000;
// A source that takes too long occupies a download for all that time: it is checked again less and less often, sooner than others.
const SLOW_GROWTH = 4;
const MAX_SLOW_WAIT_MS = 6 * 3_600_000;
const JITTER = 0.1;
/** Longer than this nobody can make us wait. */
const MAX_WAIT_MS = 24 * 3_600_000;

export type LastCheck = {
  /** Checks in a row that brought no answer that could be used. */
  readonly failures: number;
  /** What the server asked for. */
  readonly retryAfterMs?: number | undefined;
  /** The source took too long. */
  readonly isSlow?: boolean | undefined;
  /** At least 0 and below 1. */
  readonly random: number;
};

/** How long to wait for the next check. Lists that were fetched together do not stay together. */
export function nextCheckMs(
  everyMs: number,
  { failures, retryAfterMs = 0, isSlow = false, random }: LastCheck,
): number {
  const growth = isSlow ? SLOW_GROWTH : 2;
  const longest = isSlow ? Math.max(everyMs, MAX_SLOW_WAIT_MS) : everyMs;
  const usual = failures === 0 ? everyMs : Math.min(longest, FIRST_WAIT_MS * growth ** (failures - 1));
  const spread = usual * (1 - JITTER + 2 * JITTER * random);
  return Math.min(Math.max(spread, retryAfterMs), Math.max(MAX_WAIT_MS, everyMs));
}

type Remembered = {
  readonly triedAt: number | undefined;
  readonly problem?: Pick<Problem, 'times' | 'isSlow'> | undefined;
  readonly now: number;
};

/** The same for the first check after a start, by what the last run has left written. */
export function firstCheckMs(everyMs: number, { triedAt, problem, now }: Remembered, random: number): number {
  if (triedAt === undefined) return 0;
  if (problem?.isSlow) {
    const ms = nextCheckMs(everyMs, { failures: problem.times, isSlow: true, random });
    return Math.max(0, ms - Math.max(0, now - triedAt));
  }
  // Within a minute: not all at once, and not a request for each start of a program that cannot stay up.
  if (problem) return Math.min(everyMs, FIRST_WAIT_MS) * random;
  // A clock that was set back or forward must not put a check off for long.
  const waited = Math.max(0, now - triedAt);
  return Math.max(0, everyMs * (1 - JITTER * random) - waited);
}
