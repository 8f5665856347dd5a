import { parseTrustedRule } from '../parse-rule.ts';
import { readRegex } from './regex.ts';

/** Whether a line may be a rule with a regular expression: a cheap first check. */
export const isRegexRuleText = (line: string): boolean => /^\s*(?:@@)?\//.test(line);

/** Program steps of a rule's regular expression; 0 without a valid one. */
export function expressionSteps(line: string): number {
  const parsed = parseTrustedRule(line);
  if (parsed.kind !== 'rule' || parsed.rule.pattern.kind !== 'expression') return 0;
  const expression = readRegex(parsed.rule.pattern.source);
  return expression.ok ? expression.value.steps : 0;
}
