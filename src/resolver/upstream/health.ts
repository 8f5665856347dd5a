import type { FailureReason } from './upstream-answer.ts';

/** What is known of an upstream from the questions it was asked. Nobody asks it only to know. */
export type Health = {
  /** Smoothed; unknown until it has answered or been waited for. */
  readonly latencyMs: number | undefined;
  /** One after the other. */
  readonly failures: number;
  readonly out: Out | undefined;
};

/** It is not asked for anybody's sake; from time to time a copy of somebody's question tries whether it is back. */
type Out = { readonly since: number; readonly trialAt: number; readonly trials: number; readonly why: FailureReason };

export const unknownHealth: Health = { latencyMs: undefined, failures: 0, out: undefined };

const FAILURES_UNTIL_OUT = 3;
const SMOOTHING = 1 / 8;
const FIRST_WAIT_MS = 1000;
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
// One that is merely silent may be back at any moment and loses nothing by a question every few seconds; a recovery must be
// seen within five. One that speaks, and wishes not to be asked or cannot prove who it is, is left alone for longer.
const LONGEST_WAIT_FOR_SILENT_MS = 4000;
const silent: ReadonlySet<FailureReason> = new Set(['timeout', 'unreachable', 'closed', 'no address']);

export const afterAnswer = (health: Health, elapsedMs: number): Health => ({
  latencyMs: smoothed(health.latencyMs, elapsedMs),
  failures: 0,
  out: undefined,
});

export type Failure = { readonly why: FailureReason; readonly elapsedMs: number; readonly retryAfterMs?: number };

/** `random` is at least 0 and below 1. */
export function afterFailure(health: Health, failure: Failure, now: number, random: number): Health {
  const failures = health.failures + 1;
  const latencyMs = failure.why === 'timeout' ? smoothed(health.latencyMs, failure.elapsedMs) : health.latencyMs;
  // What was asked before it was out says nothing new.
  if (health.out && now < health.out.trialAt) return { ...health, latencyMs, failures };
  const isOut = health.out !== undefined || failures >= FAILURES_UNTIL_OUT || failure.retryAfterMs !== undefined;
  if (!isOut) return { latencyMs, failures, out: undefined };
  const trials = health.out ? health.out.trials + 1 : 0;
  // From trial to trial, whatever time it took to see that one had failed.
  const spentMs = health.out ? failure.elapsedMs : 0;
  const trialAt = now + Math.max(waitMs(failure, trials, random) - spentMs, SHORTEST_WAIT_MS);
  return { latencyMs, failures, out: { since: health.out?.since ?? now, trialAt, trials, why: failure.why } };
}

function waitMs({ why, retryAfterMs = 0 }: Failure, trials: number, random: number): number {
  const longest = silent.has(why) ? LONGEST_WAIT_FOR_SILENT_MS : LONGEST_WAIT_MS;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(trials, 10), longest);
  // Jitter only shortens, so that the longest wait is the longest.
  return Math.min(Math.max(wait * (0.75 + 0.25 * random), retryAfterMs), LONGEST_WAIT_MS);
}

export const isTrialDue = ({ out }: Health, now: number): boolean => out !== undefined && now >= out.trialAt;

const smoothed = (before: number | undefined, sample: number): number =>
  before === undefined ? sample : before + (sample - before) * SMOOTHING;

const SHORTEST_HEDGE_MS = 200;
const LONGEST_HEDGE_MS = 1000;
const UNKNOWN_HEDGE_MS = 300;

/** How long one waits before another is asked as well. */
export const hedgeMs = ({ latencyMs }: Health): number =>
  latencyMs === undefined ? UNKNOWN_HEDGE_MS : Math.min(Math.max(2 * latencyMs, SHORTEST_HEDGE_MS), LONGEST_HEDGE_MS);

const SHORTEST_OVERDUE_MS = 1000;
const LONGEST_OVERDUE_MS = 2000;

/** How long no answer is only a slow one. */
export const overdueMs = ({ latencyMs = 0 }: Health): number =>
  Math.min(Math.max(4 * latencyMs, SHORTEST_OVERDUE_MS), LONGEST_OVERDUE_MS);
