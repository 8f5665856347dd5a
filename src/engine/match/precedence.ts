import type { Rule } from '../../rules/rule.ts';
import type { NamedPattern } from '../build/domain-rules.ts';

// Which of the rules that match wins: the one with the largest strength, a number made of these, the first counting most.
//   1 class      allow + important, important, allow, block: what is said with emphasis, and mercy before punishment
//   2 labels     more labels named before fewer; wildcards and expressions name none: the specific before the generic
//   3 pattern    at the same name it alone before all under it before both
//   4 modifiers  more before fewer: a rule that says when is more specific than one that does not
// Of equal ones that of the list which stands first in the profile wins, and of those the one that stands first in it.

const CLASS = 2 ** 16;
/** Rules without emphasis that allow are as strong as this, and those that block are not. */
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

/** Of a rule without modifiers, its labels not yet counted. */
export const domainRulePriority = (allow: boolean, pattern: NamedPattern): number =>
  (allow ? CLASS : 0) + patternRank[pattern] * PATTERN;

export function priorityOf(rule: Rule): number {
  const emphasis = (rule.important ? 2 * CLASS : 0) + (rule.allow ? CLASS : 0);
  return emphasis + labelsNamed(rule) * LABELS + patternRank[rule.pattern.kind] * PATTERN + modifierCount(rule);
}

const labelsNamed = ({ pattern }: Rule): number =>
  pattern.kind === 'wildcard' || pattern.kind === 'expression' ? 0 : pattern.name.split('.').length;

export const modifierCount = (rule: Rule): number =>
  [rule.types, rule.rewrite, rule.clients, rule.tags, rule.denyallow, rule.places].filter(Boolean).length +
  (rule.important ? 1 : 0);

/** Why a rule of one strength comes before one of another, in words. */
export function whyStronger(one: number, other: number): string {
  if (one >= 2 * CLASS && other < 2 * CLASS) return 'what is $important comes first';
  if (Math.trunc(one / CLASS) !== Math.trunc(other / CLASS)) return 'an allow rule comes before a block rule';
  if (Math.trunc(one / LABELS) !== Math.trunc(other / LABELS)) return 'a rule that names more of the name comes first';
  if (Math.trunc(one / PATTERN) !== Math.trunc(other / PATTERN))
    return 'of two at the same name the narrower comes first';
  if (one !== other) return 'a rule with more modifiers comes first';
  return 'of equal rules the first in the order of lists and lines counts';
}
