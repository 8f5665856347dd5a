import { overdueMs } from './health.ts';
import type { Member } from './member.ts';
import { type FailureReason, isUseful, type UpstreamAnswer } from './upstream-answer.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

/** One upstream being asked one question. */
export type Attempt = {
  /**
   * Another was faster, and took so long; or the time is over. It is still given as long as an answer may take, to know how it
   * is: a question may be hard, and an answer is late only when another has had it for a while.
   */
  readonly nobodyWaits: (otherTookMs?: number) => void;
};

// These say nothing about the upstream, or it is judged elsewhere.
const notItsFault: ReadonlySet<FailureReason> = new Set(['busy', 'stopped', 'malformed']);

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
    else if (answer.kind === 'failed' && !notItsFault.has(answer.why)) member.failed({ ...answer, elapsedMs });
    done(answer);
  };

  member.asked();
  void member.upstream.ask(question, { timeoutMs, fresh, signal: stop.signal }).then(judge);
  return {
    nobodyWaits(otherTookMs = 0) {
      const allowedMs = Math.max(overdueMs(member.health()), 2 * otherTookMs);
      late = setTimeout(() => stop.abort(), Math.max(allowedMs - (now() - begun), 0));
    },
  };
}
