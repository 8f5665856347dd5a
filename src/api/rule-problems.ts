import type { ProfileSettings } from '../domain/profile.ts';
import { ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { type Operation, query } from './operation.ts';
import { RuleProblems } from './wire/rule-problems.ts';

const MAX_ITEMS = 1000;

const rulesBySetting = ({ userRules, access }: ProfileSettings) => ({
  user_rules: userRules.rules,
  blocked_domain_rules: access.blockedDomainRules,
});

function problemsOf(settings: ProfileSettings, ruleStatus: Deps['ruleStatus']) {
  return Object.entries(rulesBySetting(settings)).flatMap(([setting, rules]) =>
    rules.flatMap((rule, index) => {
      const status = ruleStatus(rule);
      if (status.kind === 'rule' || status.kind === 'comment or blank') return [];
      return [{ setting: setting as keyof ReturnType<typeof rulesBySetting>, index, rule, ...status }];
    }),
  );
}

export const ruleProblemOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/rule_problems',
    operationId: 'listRuleProblems',
    group: 'DNS servers',
    summary: 'List rules without effect',
    description:
      'New rules that are invalid are rejected with 400. Rules for other programs (`ignored`, such as cosmetic rules) and rules that an earlier version accepted are stored and listed here.',
    params: ServerParams,
    reply: RuleProblems,
    responseDescription: 'The rules without effect, with the reason.',
    errors: [404],
    run: async (store, input, { ruleStatus }) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const problems = problemsOf(server.value.settings, ruleStatus);
      return ok({ total: problems.length, items: problems.slice(0, MAX_ITEMS) });
    },
  }),
];
