import type { Rule } from '../../rules/rule.ts';
import type { NamedPattern } from '../build/domain-rules.ts';

// The matching rule with the highest priority wins. Priority is a number composed of these parts, most significant first:
//   1 class      allow + important, important, allow, block
//   2 labels     more labels before fewer (specific before generic); wildcards and regular expressions have none
//   3 pattern    for the same name: the name alone, before its subdomains, before both
//   4 modifiers  more before fewer: a rule with conditions is more specific
// Of equal priorities the first list of the profile wins, and within a list the first rule.

const CLASS = 2 ** 16;
/** Allow rules without `$important` have at least this priority; block rules have less. */
export const ALLOWS = CLASS;
export const LABELS = 2 ** 8;
const PATTERN = 2 ** 5;

const patternRank: Readonly<Record<Rule['pattern']['kind'], number>> = {
  exact: 3,
  subdomains: 2,
  domain: 1,
  wildcard: 0,
  expression: 0,
};

/** Priority of a rule without modifiers, before its labels are added. */
export const domainRulePriority = (allow: boolean, pattern: NamedPattern): number =>
  (allow ? CLASS : 0) + patternRank[pattern] * PATTERN;

export function priorityOf(rule: Rule): number {
  const emphasis = (rule.important ? 2 * CLASS : 0) + (rule.allow ? CLASS : 0);
  return emphasis + labelsNamed(rule) * LABELS + patternRank[rule.pattern.kind] * PATTERN + modifierCount(rule);
}

const labelsNamed = ({ pattern }: Rule): number =>
  pattern.kind === 'wildcard' || pattern.kind === 'expression' ? 0 : pattern.name.split('.').length;

export const modifierCount = (rule: Rule): number =>
  [rule.types, rule.rewrite, rule.clients, rule.tags, rule.denyallow, rule.locations].filter(Boolean).length +
  (rule.important ? 1 : 0);

/** Why one priority precedes another, as text. */
export function whyStronger(one: number, other: number): string {
  if (one >= 2 * CLASS && other < 2 * CLASS) return 'what is $important comes first';
  if (Math.trunc(one / CLASS) !== Math.trunc(other / CLASS)) return 'an allow rule comes before a block rule';
  if (Math.trunc(one / LABELS) !== Math.trunc(other / LABELS)) return 'a rule that names more of the name comes first';
  if (Math.trunc(one / PATTERN) !== Math.trunc(other / PATTERN))
    return 'of two at the same name the narrower comes first';
  if (one !== other) return 'a rule with more modifiers comes first';
  return 'of equal rules the first in the order of lists and lines counts';
}
