import { overdueMs } from './health.ts';
import type { Member } from './member.ts';
import { type FailureReason, isUseful, type UpstreamAnswer } from './upstream-answer.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

/** One query to one upstream. */
export type Attempt = {
  /**
   * Called when another upstream answered, after `otherTookMs`, or when the time is over. The attempt still gets the
   * full time for an answer, to measure the health of the upstream: it counts as late only some time after the other
   * answered.
   */
  readonly detach: (otherTookMs?: number) => void;
};

// These say nothing about the health of the upstream, or are handled elsewhere.
const notCounted: ReadonlySet<FailureReason> = new Set(['busy', 'stopped', 'malformed']);

export function beginAttempt(
  member: Member,
  question: UpstreamQuestion,
  { timeoutMs, fresh, now }: { timeoutMs: number; fresh: boolean; now: () => number },
  done: (answer: UpstreamAnswer) => void,
): Attempt {
  const begun = now();
  const stop = new AbortController();
  let late: NodeJS.Timeout | undefined;

  const judge = (answer: UpstreamAnswer): void => {
    clearTimeout(late);
    const elapsedMs = now() - begun;
    if (isUseful(answer)) member.answered(elapsedMs);
    else if (answer.kind === 'failed' && !notCounted.has(answer.why)) member.failed({ ...answer, elapsedMs });
    done(answer);
  };

  member.asked();
  void member.upstream.ask(question, { timeoutMs, fresh, signal: stop.signal }).then(judge);
  return {
    detach(otherTookMs = 0) {
      const allowedMs = Math.max(overdueMs(member.health()), 2 * otherTookMs);
      late = setTimeout(() => stop.abort(), Math.max(allowedMs - (now() - begun), 0));
    },
  };
}
