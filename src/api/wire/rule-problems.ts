import Type from 'typebox';
import { enumeration, int32, object } from './named.ts';

const RuleProblem = object('RuleProblem', 'A stored rule without effect.', {
  setting: enumeration('RuleSetting', ['user_rules', 'blocked_domain_rules']),
  index: int32({ description: 'Position in the array of the setting, from 0.' }),
  rule: Type.String(),
  kind: enumeration('RuleProblemKind', ['invalid', 'ignored']),
  reason: Type.String(),
  start: int32({ description: 'First column of the part that is wrong, in UTF-16 units from 0.' }),
  end: int32({ description: 'Column after the part that is wrong.' }),
});

export const RuleProblems = object('RuleProblems', 'Rules of a DNS server that have no effect.', {
  total: int32(),
  items: Type.Array(RuleProblem, { description: 'The first 1,000 of them.' }),
});
