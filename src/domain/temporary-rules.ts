import { err, ok, type Result } from '../kit/result.ts';
import { parseRule, whatRulesAre } from './access-update.ts';
import type { OwnSettings, TemporaryRule } from './own-settings.ts';
import { type FieldFault, invalid, type Problem } from './problem.ts';
import { isWholeNumber } from './read-update.ts';

const MINUTE_MS = 60_000;
const MAX_MINUTES = 7 * 24 * 60;
const MAX_RULES = 100;

/** Those whose time is not over. */
export const rulesStillIn = (
  { temporaryRules }: Pick<OwnSettings, 'temporaryRules'>,
  now: number,
): readonly TemporaryRule[] => temporaryRules.filter(({ endsAt }) => endsAt > now);

/** When the first of them ends; never, where there are none. */
export const nextEnd = (rules: readonly TemporaryRule[]): number => Math.min(...rules.map(({ endsAt }) => endsAt));

/** The settings with one more rule, and without those whose time is over. */
export function addTemporaryRule(
  own: OwnSettings,
  wanted: { readonly rule: string; readonly minutes: number },
  { id, now }: { readonly id: string; readonly now: number },
): Result<{ readonly own: OwnSettings; readonly added: TemporaryRule }, Problem> {
  const faults: FieldFault[] = [];
  const rule = parseRule(wanted.rule.trim());
  if (!rule) faults.push({ field: 'rule', kind: 'wrong value', message: `must be ${whatRulesAre}` });
  if (!isWholeNumber(wanted.minutes, 1, MAX_MINUTES))
    faults.push({ field: 'minutes', kind: 'wrong value', message: `must be a whole number from 1 to ${MAX_MINUTES}` });
  if (!rule || faults.length > 0) return err({ kind: 'invalid', faults });
  const still = rulesStillIn(own, now);
  if (still.length >= MAX_RULES)
    return err(invalid('rule', `a DNS server may have ${MAX_RULES} temporary rules at a time`, 'limit reached'));
  const added = { id, rule, endsAt: now + wanted.minutes * MINUTE_MS };
  // Said again, it holds as long as it was said to last.
  return ok({ added, own: { ...own, temporaryRules: [...still.filter((other) => other.rule !== rule), added] } });
}

/** Undefined when there is none of this id, or its time is over. */
export function removeTemporaryRule(own: OwnSettings, id: string, now: number): OwnSettings | undefined {
  const still = rulesStillIn(own, now);
  const left = still.filter((rule) => rule.id !== id);
  return left.length === still.length ? undefined : { ...own, temporaryRules: left };
}
