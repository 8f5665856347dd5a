import { LRUCache } from 'lru-cache';
import { expressionSteps, isRegexRuleText } from '../rules/regex/regex-rule.ts';

/** The same rules arrive with every change of the other settings. */
const MAX_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 100;

/** Computes the steps of a rule's expression; caches the results of some thousand rules. */
export function createExpressionSteps(): (rule: string) => number {
  const stepsByRule = new LRUCache<string, number>({ maxSize: MAX_BYTES });
  return (rule) => {
    if (!isRegexRuleText(rule)) return 0;
    const before = stepsByRule.get(rule);
    if (before !== undefined) return before;
    const steps = expressionSteps(rule);
    stepsByRule.set(rule, steps, { size: 2 * rule.length + ENTRY_BYTES });
    return steps;
  };
}
