import type { Profile, ProfileSettings } from '../domain/profile.ts';
import { isRegexRuleText } from '../rules/regex/regex-rule.ts';

export const ownRulesOf = ({ userRules, access }: ProfileSettings) => ({
  userRules: userRules.rules,
  access: access.blockedDomainRules,
});

/** Whether some of its rules take so long to compile that queries must not wait for them. */
export const hasRegexRules = ({ profiles }: { readonly profiles: readonly Pick<Profile, 'settings'>[] }): boolean =>
  profiles.some(({ settings }) => Object.values(ownRulesOf(settings)).some((rules) => rules.some(isRegexRuleText)));
