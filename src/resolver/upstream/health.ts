import type { FailureReason } from './upstream-answer.ts';

/** Health of an upstream, measured by client queries. There are no separate probes. */
export type Health = {
  /** Smoothed latency; undefined until the first query. */
  readonly latencyMs: number | undefined;
  /** Consecutive failures. */
  readonly failures: number;
  readonly out: Out | undefined;
};

/** State of a suspended upstream, which gets only copies of some client queries as trials. */
type Out = { readonly since: number; readonly trialAt: number; readonly trials: number; readonly why: FailureReason };

export const unknownHealth: Health = { latencyMs: undefined, failures: 0, out: undefined };

const FAILURES_UNTIL_OUT = 3;
const SMOOTHING = 1 / 8;
const FIRST_WAIT_MS = 1000;
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
// Silent upstreams get a trial every few seconds, which costs little, so that a recovery is noticed within five seconds. Upstreams that
// refuse queries or have an invalid certificate get trials less often.
const LONGEST_WAIT_FOR_SILENT_MS = 4000;
const silent: ReadonlySet<FailureReason> = new Set(['timeout', 'unreachable', 'closed', 'no address']);

export const afterAnswer = (health: Health, elapsedMs: number): Health => ({
  latencyMs: smoothed(health.latencyMs, elapsedMs),
  failures: 0,
  out: undefined,
});

export type Failure = { readonly why: FailureReason; readonly elapsedMs: number; readonly retryAfterMs?: number };

/** `random` is in [0, 1). */
export function afterFailure(health: Health, failure: Failure, now: number, random: number): Health {
  const failures = health.failures + 1;
  const latencyMs = failure.why === 'timeout' ? smoothed(health.latencyMs, failure.elapsedMs) : health.latencyMs;
  // Failures of queries sent before it was suspended do not extend the suspension.
  if (health.out && now < health.out.trialAt) return { ...health, latencyMs, failures };
  const isOut = health.out !== undefined || failures >= FAILURES_UNTIL_OUT || failure.retryAfterMs !== undefined;
  if (!isOut) return { latencyMs, failures, out: undefined };
  const trials = health.out ? health.out.trials + 1 : 0;
  // Measured from trial to trial, including the time until the trial failed.
  const spentMs = health.out ? failure.elapsedMs : 0;
  const trialAt = now + Math.max(waitMs(failure, trials, random) - spentMs, SHORTEST_WAIT_MS);
  return { latencyMs, failures, out: { since: health.out?.since ?? now, trialAt, trials, why: failure.why } };
}

function waitMs({ why, retryAfterMs = 0 }: Failure, trials: number, random: number): number {
  const longest = silent.has(why) ? LONGEST_WAIT_FOR_SILENT_MS : LONGEST_WAIT_MS;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(trials, 10), longest);
  // Jitter only shortens the interval, so that it does not exceed the maximum.
  return Math.min(Math.max(wait * (0.75 + 0.25 * random), retryAfterMs), LONGEST_WAIT_MS);
}

export const isTrialDue = ({ out }: Health, now: number): boolean => out !== undefined && now >= out.trialAt;

const smoothed = (before: number | undefined, sample: number): number =>
  before === undefined ? sample : before + (sample - before) * SMOOTHING;

const SHORTEST_HEDGE_MS = 200;
const LONGEST_HEDGE_MS = 1000;
const UNKNOWN_HEDGE_MS = 300;

/** Time without an answer after which the next upstream is queried as well. */
export const hedgeMs = ({ latencyMs }: Health): number =>
  latencyMs === undefined ? UNKNOWN_HEDGE_MS : Math.min(Math.max(2 * latencyMs, SHORTEST_HEDGE_MS), LONGEST_HEDGE_MS);

const SHORTEST_OVERDUE_MS = 1000;
const LONGEST_OVERDUE_MS = 2000;

/** Time after which a missing answer is counted as a timeout. */
export const overdueMs = ({ latencyMs = 0 }: Health): number =>
  Math.min(Math.max(4 * latencyMs, SHORTEST_OVERDUE_MS), LONGEST_OVERDUE_MS);
