import type { Problem } from './list-state.ts';

const FIRST_WAIT_MS = 60_000;
// The interval of slow sources grows faster, because they occupy a download slot for a long time.
const SLOW_GROWTH = 4;
const MAX_SLOW_WAIT_MS = 6 * 3_600_000;
const JITTER = 0.1;
/** Upper bound for Retry-After and back-off. */
const MAX_WAIT_MS = 24 * 3_600_000;

export type LastCheck = {
  /** Consecutive failed checks. */
  readonly failures: number;
  /** Retry-After of the server. */
  readonly retryAfterMs?: number | undefined;
  /** The source was too slow. */
  readonly isSlow?: boolean | undefined;
  /** At least 0 and below 1. */
  readonly random: number;
};

/** Time until the next check, with jitter. */
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

/** Time until the first check after a start, from the saved state. */
export function firstCheckMs(everyMs: number, { triedAt, problem, now }: Remembered, random: number): number {
  if (triedAt === undefined) return 0;
  if (problem?.isSlow) {
    const ms = nextCheckMs(everyMs, { failures: problem.times, isSlow: true, random });
    return Math.max(0, ms - Math.max(0, now - triedAt));
  }
  // Spread over a minute, so that a program that restarts in a loop does not send a request per start.
  if (problem) return Math.min(everyMs, FIRST_WAIT_MS) * random;
  // Limited, so that a changed system clock does not delay a check for long.
  const waited = Math.max(0, now - triedAt);
  return Math.max(0, everyMs * (1 - JITTER * random) - waited);
}
