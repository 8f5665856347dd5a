import { hedgeMs, overdueMs } from './health.ts';
import type { Member } from './member.ts';
import { type FailureReason, failed, isUseful, type UpstreamAnswer } from './upstream-answer.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

export type Race = {
  readonly members: readonly Member[];
  /** Index of the first fallback upstream. Fallbacks are used only if the others do not respond. */
  readonly reserveFrom: number;
  /** Number of upstreams that are queried at the same time. */
  readonly atOnce: number;
  /** Maximum number of queries per upstream. */
  readonly rounds: number;
  readonly timeoutMs: number;
  readonly now: () => number;
};

// A datagram may be lost, so it is repeated soon. Over a connection, a missing answer means that it is dead or slow.
const AGAIN_ON_CONNECTION_MS = 1500;
const BEFORE_RESERVE_MS = 1000;

/**
 * Queries one upstream, and the next when it fails or takes longer than usual; the first useful answer wins. An RCODE
 * such as SERVFAIL or REFUSED is used only if no upstream has a better answer.
 */
export function race(
  question: UpstreamQuestion,
  { members, reserveFrom, atOnce, rounds, timeoutMs, now }: Race,
): Promise<UpstreamAnswer> {
  return new Promise((resolve) => {
    const begun = now();
    const running = new Set<Attempt>();
    const hasDatagrams = members.some(({ upstream }) => upstream.address.kind === 'udp');
    // Upstreams that answered are not queried again: the answer would be the same.
    const answers = new Map<Member, UpstreamAnswer>();
    let lastFailure: UpstreamAnswer = failed('timeout', 'no upstream answered in time');
    let turn = 0;
    let isOver = false;
    let hedge: NodeJS.Timeout | undefined;

    const finish = (outcome: UpstreamAnswer): void => {
      isOver = true;
      clearTimeout(limit);
      clearTimeout(hedge);
      for (const attempt of running) attempt.detach(outcome.kind === 'answer' ? outcome.elapsedMs : 0);
      // Blames an upstream for an error only if another one has answered; otherwise the query may be the cause.
      if (isUseful(outcome)) for (const member of answers.keys()) blame(member, now() - begun);
      resolve(outcome);
    };
    const giveUp = (): void => finish([...answers.values()].find(({ kind }) => kind === 'answer') ?? lastFailure);
    const limit = setTimeout(giveUp, timeoutMs);

    const isLeft = (): boolean => {
      while (turn < members.length * rounds && answers.has(members[turn % members.length]!)) turn++;
      return turn < members.length * rounds;
    };

    const start = (): void => {
      const member = members[turn % members.length]!;
      const round = Math.floor(turn++ / members.length);
      const attempt = beginAttempt(member, question, { timeoutMs, fresh: round > 0, now }, (answer) => {
        running.delete(attempt);
        if (!isOver) onAnswer(member, answer);
      });
      running.add(attempt);
      clearTimeout(hedge);
      hedge = setTimeout(startNext, Math.max(hedgeMs(member.health()) * 2 ** round, minWaitMs()));
    };
    const minWaitMs = (): number => {
      if (turn >= members.length) return hasDatagrams ? 0 : AGAIN_ON_CONNECTION_MS;
      return turn >= reserveFrom ? BEFORE_RESERVE_MS : 0;
    };
    const startNext = (): void => {
      hedge = undefined;
      if (isLeft()) start();
      else if (running.size === 0) giveUp();
    };

    const onAnswer = (member: Member, answer: UpstreamAnswer): void => {
      if (isUseful(answer) || (answer.kind === 'failed' && answer.why === 'stopped')) {
        finish(answer);
        return;
      }
      if (answer.kind === 'failed') lastFailure = answer;
      if (answer.kind === 'answer' || answer.why === 'malformed') answers.set(member, answer);
      // An upstream that was not tried yet is queried immediately; a failed one is retried after a pause.
      if (turn < members.length && running.size < atOnce) start();
      else if (running.size === 0 && (!isLeft() || hedge === undefined)) giveUp();
    };

    for (let i = 0; i < Math.min(atOnce, members.length); i++) start();
  });
}

const blame = (member: Member, elapsedMs: number): void =>
  member.failed({ why: 'refused', detail: 'refused a query that another upstream answered', elapsedMs });

/** One query to one upstream. */
type Attempt = {
  /**
   * Called when another upstream answered after `otherTookMs`, or on timeout. The attempt continues, to measure the health of the upstream.
   * It is stopped, and counts as late, after `overdueMs` or twice `otherTookMs`, whichever is longer.
   */
  readonly detach: (otherTookMs?: number) => void;
};

// These do not depend on the health of the upstream, or are handled elsewhere.
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
  const { replied, ...unasked } = question;
  const isReply = replied?.upstream === member.number && !fresh;
  void member.upstream.ask(isReply ? question : unasked, { timeoutMs, fresh, signal: stop.signal }).then(judge);
  return {
    detach(otherTookMs = 0) {
      const allowedMs = Math.max(overdueMs(member.health()), 2 * otherTookMs);
      late = setTimeout(() => stop.abort(), Math.max(allowedMs - (now() - begun), 0));
    },
  };
}
