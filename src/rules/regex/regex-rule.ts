import { parseTrustedRule } from '../parse-rule.ts';
import { readRegex } from './regex.ts';

/** Whether a line may be a rule with a regular expression: a first look that takes no time. */
export const isRegexRuleText = (line: string): boolean => /^\s*(?:@@)?\//.test(line);

/** How many steps the expression of a rule unfolds to; 0 for a rule without one, and for one that cannot be read. */
export function expressionSteps(line: string): number {
  const parsed = parseTrustedRule(line);
  if (parsed.kind !== 'rule' || parsed.rule.pattern.kind !== 'expression') return 0;
  const expression = readRegex(parsed.rule.pattern.source);
  return expression.ok ? expression.value.steps : 0;
}
