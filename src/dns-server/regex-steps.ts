import { LRUCache } from 'lru-cache';
import { expressionSteps, isRegexRuleText } from '../rules/regex/regex-rule.ts';

/** The same rules come with every change of the settings around them. */
const MAX_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 100;

/** Weighs the expression of a rule, and remembers the weights of some thousand. */
export function createExpressionSteps(): (rule: string) => number {
  const known = new LRUCache<string, number>({ maxSize: MAX_BYTES });
  return (rule) => {
    if (!isRegexRuleText(rule)) return 0;
    const before = known.get(rule);
    if (before !== undefined) return before;
    const steps = expressionSteps(rule);
    known.set(rule, steps, { size: 2 * rule.length + ENTRY_BYTES });
    return steps;
  };
}
