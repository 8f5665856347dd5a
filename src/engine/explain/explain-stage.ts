import { combineHostsLines } from '../build/hosts-line-rule.ts';
import type { MatchingRule } from '../match/matching-rules.ts';
import { whyStronger } from '../match/precedence.ts';
import { combineRewrites, leadsToItself, withoutExcepted } from '../match/rewrites.ts';
import type { Rewritten } from '../verdict.ts';

export type Outcome =
  | 'won'
  | 'lost to a stronger rule'
  | 'overruled by a later source'
  | 'not asked'
  | 'an exception to rewrites'
  | 'switched off by an exception'
  | 'switched off by $badfilter'
  | 'leads to the name itself'
  | 'not honoured in this source'
  | 'does not apply';

export type RuleOutcome = { readonly outcome: Outcome; readonly why: string };

export type Decision = {
  readonly kind: 'allow' | 'block' | 'rewrite';
  readonly winner: MatchingRule;
  readonly rewrite?: Rewritten;
};

/** The decision of one stage's rules; undefined if no rule applies. */
export function decideStage(rules: readonly MatchingRule[], name: string, type: number): Decision | undefined {
  const rewrite = combineRewrites(rules.filter(isRewriting).toSorted(byPriority), name, type);
  if (rewrite) return { kind: 'rewrite', winner: rewrite.by, rewrite: rewrite.rewrite };
  const [strongest] = rules.filter(isPlain).toSorted(byPriority);
  if (strongest) return { kind: strongest.rule.allow ? 'allow' : 'block', winner: strongest };
  const hosts = combineHostsLines(
    rules.filter(({ answers }) => answers),
    type,
  );
  return hosts && { kind: 'rewrite', winner: hosts.by, rewrite: hosts.rewrite };
}

export const byPrecedence = (one: MatchingRule, other: MatchingRule): number =>
  turn(one) - turn(other) || byPriority(one, other);

const turn = (match: MatchingRule): number => (isRewriting(match) ? 0 : isPlain(match) ? 1 : 2);
const isRewriting = ({ rule, answers }: MatchingRule): boolean => rule.rewrite !== undefined && !answers;
const isPlain = ({ rule }: MatchingRule): boolean => rule.rewrite === undefined;
const byPriority = (one: MatchingRule, other: MatchingRule): number => other.priority - one.priority;

/** The outcome of each rule in a stage that has decided. */
export function outcomesInStage(
  rules: readonly MatchingRule[],
  decision: Decision | undefined,
  name: string,
): ReadonlyMap<MatchingRule, RuleOutcome> {
  const effective = withoutExcepted(rules.filter(isRewriting));
  return new Map(rules.map((match) => [match, outcomeOf(match, decision, effective, name)]));
}

function outcomeOf(
  match: MatchingRule,
  decision: Decision | undefined,
  effective: readonly MatchingRule[],
  name: string,
): RuleOutcome {
  if (match === decision?.winner) return { outcome: 'won', why: winning[decision.kind] };
  if (isRewriting(match)) {
    if (match.rule.allow) return { outcome: 'an exception to rewrites', why: 'it only disables rewrites' };
    if (!effective.includes(match))
      return {
        outcome: 'switched off by an exception',
        why: 'an exception with $dnsrewrite in its source disables it',
      };
    if (leadsToItself(match.rule, name))
      return { outcome: 'leads to the name itself', why: 'it rewrites the queried name to itself' };
    if (isPart(match, decision)) return { outcome: 'won', why: 'its record is part of the answer' };
  }
  // A stage with an applicable rule has a decision.
  return { outcome: 'lost to a stronger rule', why: whyLost(match, decision!.winner) };
}

const winning = {
  allow: 'strongest matching rule of the first source that decides: allow',
  block: 'strongest matching rule of the first source that decides: block',
  rewrite: 'rewrites come before block and allow, and no earlier source decides',
} as const;

/** All records of the queried type are part of the answer. */
const isPart = ({ rule: { rewrite } }: MatchingRule, decision: Decision | undefined): boolean =>
  decision?.rewrite?.kind === 'records' && rewrite?.kind === 'record' && rewrite.type === decision.rewrite.type;

function whyLost(match: MatchingRule, winner: MatchingRule): string {
  const { text } = winner;
  if (match.answers) return `"${text}" is a rule: lines of hosts files only answer if no rule matches`;
  if (isRewriting(winner) && !isRewriting(match)) return `"${text}" rewrites, which comes before block and allow`;
  if (isRewriting(match) && match.rule.rewrite?.kind !== winner.rule.rewrite?.kind)
    return `"${text}" is stronger: a CNAME comes before a code, and a code before records`;
  return `"${text}" is stronger: ${whyStronger(winner.priority, match.priority)}`;
}
