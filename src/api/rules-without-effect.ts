import type { ProfileSettings } from '../domain/profile.ts';
import type { Deps } from './deps.ts';

type RuleStatus = ReturnType<Deps['ruleStatus']>;
type Problem = Extract<RuleStatus, { kind: 'invalid' | 'ignored' }>;

const rulesBySetting = ({ userRules, access }: ProfileSettings) => ({
  user_rules: userRules.rules,
  blocked_domain_rules: access.blockedDomainRules,
});

/** Why a rule has no effect; undefined if it has one, or is a comment. */
export function problemOf(rule: string, ruleStatus: Deps['ruleStatus']): Problem | undefined {
  const status = ruleStatus(rule);
  return status.kind === 'rule' || status.kind === 'comment or blank' ? undefined : status;
}

/** The stored rules that have no effect. */
export const rulesWithoutEffect = (settings: ProfileSettings, ruleStatus: Deps['ruleStatus']) =>
  Object.entries(rulesBySetting(settings)).flatMap(([setting, rules]) =>
    rules.flatMap((rule, index) => {
      const problem = problemOf(rule, ruleStatus);
      return problem ? [{ setting: setting as keyof ReturnType<typeof rulesBySetting>, index, rule, ...problem }] : [];
    }),
  );
