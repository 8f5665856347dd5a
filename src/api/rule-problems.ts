import { ok } from '../kit/result.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { type Operation, query } from './operation.ts';
import { rulesWithoutEffect } from './rules-without-effect.ts';
import { RuleProblems } from './wire/rule-problems.ts';

const MAX_ITEMS = 1000;

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
      const problems = rulesWithoutEffect(server.value.settings, ruleStatus);
      return ok({ total: problems.length, items: problems.slice(0, MAX_ITEMS) });
    },
  }),
];
