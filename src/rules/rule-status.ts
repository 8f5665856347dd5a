import { parseRule } from './parse-rule.ts';
import type { RuleError } from './rule-error.ts';

/** Whether a line has an effect. */
export type RuleStatus =
  | { readonly kind: 'rule' }
  | { readonly kind: 'comment or blank' }
  /** `ignored`: valid in other programs, but without effect in DNS filtering. */
  | (RuleError & { readonly kind: 'invalid' | 'ignored' });

export function ruleStatus(line: string): RuleStatus {
  const parsed = parseRule(line);
  if ('fault' in parsed) return { ...parsed.fault, kind: parsed.kind };
  return parsed.kind === 'rule' || parsed.kind === 'hosts' ? { kind: 'rule' } : { kind: 'comment or blank' };
}
