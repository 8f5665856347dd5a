import { MINUTE_MS } from '../kit/durations.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type ExpressionAllowance, parseRule, ruleRequirements } from './access-update.ts';
import { MAX_TEMPORARY_EXPRESSION_STEPS } from './account-limits.ts';
import { type DomainError, type FieldError, invalid } from './domain-error.ts';
import type { ProfileExtensions, TemporaryRule } from './profile-extensions.ts';
import { isWholeNumber } from './read-update.ts';

const MAX_MINUTES = 7 * 24 * 60;
const MAX_RULES = 100;

/** Rules that have not expired. */
export const rulesStillIn = (
  { temporaryRules }: Pick<ProfileExtensions, 'temporaryRules'>,
  now: number,
): readonly TemporaryRule[] => temporaryRules.filter(({ endsAt }) => endsAt > now);

/** Earliest expiry of a rule; Infinity without rules. */
export const nextEnd = (rules: readonly TemporaryRule[]): number => Math.min(...rules.map(({ endsAt }) => endsAt));

type TemporaryRuleContext = {
  readonly id: string;
  readonly now: number;
  /** `usedElsewhere` is the number of steps of all other rules of the account. */
  readonly expressions: ExpressionAllowance;
  /** Why the rule has no effect; undefined for a rule that applies. */
  readonly noEffect: (rule: string) => string | undefined;
};

/** Adds a rule and removes expired ones. */
export function addTemporaryRule(
  extensions: ProfileExtensions,
  wanted: { readonly rule: string; readonly minutes: number },
  { id, now, expressions, noEffect }: TemporaryRuleContext,
): Result<{ readonly extensions: ProfileExtensions; readonly added: TemporaryRule }, DomainError> {
  const errors: FieldError[] = [];
  const rule = parseRule(wanted.rule.trim());
  const problem = rule === undefined ? `must be ${ruleRequirements}` : noEffect(rule);
  if (problem !== undefined) errors.push({ field: 'rule', kind: 'wrong value', message: problem });
  if (!isWholeNumber(wanted.minutes, 1, MAX_MINUTES))
    errors.push({ field: 'minutes', kind: 'wrong value', message: `must be a whole number from 1 to ${MAX_MINUTES}` });
  if (rule === undefined || errors.length > 0) return err({ kind: 'invalid', errors });
  const still = rulesStillIn(extensions, now);
  if (still.length >= MAX_RULES)
    return err(invalid('rule', `a DNS server can have at most ${MAX_RULES} temporary rules`, 'limit reached'));
  const others = still.filter((other) => other.rule !== rule);
  const tooMany = tooManySteps(rule, others, expressions);
  if (tooMany !== undefined) return err(invalid('rule', tooMany, 'limit reached'));
  const added = { id, rule, endsAt: now + wanted.minutes * MINUTE_MS };
  // If the rule exists, its expiry is replaced.
  return ok({ added, extensions: { ...extensions, temporaryRules: [...others, added] } });
}

function tooManySteps(
  rule: string,
  others: readonly TemporaryRule[],
  { limit, usedElsewhere, stepsOf }: ExpressionAllowance,
): string | undefined {
  if (stepsOf(rule) === 0) return undefined;
  const steps = others.reduce((sum, other) => sum + stepsOf(other.rule), stepsOf(rule));
  const shorten = '(repetitions are expanded): shorten this rule or remove others';
  if (steps > MAX_TEMPORARY_EXPRESSION_STEPS)
    return `the regular expressions of the temporary rules of a DNS server exceed ${MAX_TEMPORARY_EXPRESSION_STEPS} steps in total ${shorten}`;
  return usedElsewhere + steps > limit
    ? `the regular expressions of the account exceed ${limit} steps in total ${shorten}`
    : undefined;
}

/** Undefined if the rule does not exist or has expired. */
export function removeTemporaryRule(
  extensions: ProfileExtensions,
  id: string,
  now: number,
): ProfileExtensions | undefined {
  const still = rulesStillIn(extensions, now);
  const left = still.filter((rule) => rule.id !== id);
  return left.length === still.length ? undefined : { ...extensions, temporaryRules: left };
}
