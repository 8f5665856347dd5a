import type { UpstreamStrategy } from '../../domain/upstream-strategy.ts';
import { isTrialDue } from './health.ts';
import type { Member } from './member.ts';
import { beginAttempt, race } from './race.ts';
import type { Random } from './random.ts';
import { orderFor } from './strategy.ts';
import { isUseful, type UpstreamAnswer } from './upstream-answer.ts';
import type { Replied, UpstreamQuestion } from './upstream-query.ts';

/** A group of interchangeable upstreams. */
export type Group = {
  readonly ask: (question: UpstreamQuestion) => Promise<UpstreamAnswer>;
  /** Sends this query also to suspended upstreams whose trial is due, without waiting for them. */
  readonly tryThoseOut: (question: UpstreamQuestion) => void;
};

export type GroupSettings = {
  readonly main: readonly Member[];
  /** Used when all others are suspended. */
  readonly fallback: readonly Member[];
  readonly strategy: UpstreamStrategy;
  readonly timeoutMs: number;
};

export type GroupDeps = {
  readonly now: () => number;
  readonly random: Random;
  /** Upstreams with a trial in progress, in any group. */
  readonly trying: Set<Member>;
};

const TRIAL_MS = 2000;
const ROUNDS = 2;
const ROUNDS_ALONE = 3;

/** An upstream that a UDP thread has queried comes first. */
function repliedFirst(members: readonly Member[], replied: Replied | undefined): readonly Member[] {
  const preferred = replied && members.find(({ number }) => number === replied.upstream);
  return preferred ? [preferred, ...members.filter((member) => member !== preferred)] : members;
}

export function createGroup(
  { main, fallback, strategy, timeoutMs }: GroupSettings,
  { now, random, trying }: GroupDeps,
): Group {
  const all = [...new Set([...main, ...fallback])];
  const isIn = (member: Member): boolean => member.health().out === undefined;

  const tryThoseOut = (question: UpstreamQuestion): void => {
    for (const member of all) {
      if (trying.has(member) || !isTrialDue(member.health(), now())) continue;
      trying.add(member);
      const attempt = beginAttempt(member, question, { timeoutMs: TRIAL_MS, fresh: true, now }, (answer) => {
        trying.delete(member);
        if (answer.kind === 'answer' && !isUseful(answer))
          member.failed({ why: 'refused', detail: 'still refuses queries', elapsedMs: answer.elapsedMs });
      });
      attempt.detach();
    }
  };

  return {
    ask(question) {
      const able = repliedFirst(orderFor(strategy, main.filter(isIn), random.fraction), question.replied);
      const members = [...able, ...fallback.filter((member) => isIn(member) && !able.includes(member))];
      // If it was silent, the next one is queried at the same time; the query to the silent one shows whether it is down.
      const wasSilent = question.replied !== undefined && question.replied.reply === undefined;
      const atOnce = strategy === 'parallel' ? Math.max(able.length, 1) : wasSilent ? 2 : 1;
      // If all are suspended, query them anyway, because only a query can show that one answers again.
      if (members.length === 0)
        return race(question, { members: all, reserveFrom: main.length, atOnce: 1, rounds: 1, timeoutMs, now });
      tryThoseOut(question);
      const rounds = members.length === 1 ? ROUNDS_ALONE : ROUNDS;
      return race(question, { members, reserveFrom: able.length, atOnce, rounds, timeoutMs, now });
    },
    tryThoseOut,
  };
}
