import { ok } from '../kit/result.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { type Operation, query } from './operation.ts';
import { SkippedRules } from './wire/skipped-rules.ts';

export const skippedRulesOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/skipped_rules',
    operationId: 'getSkippedRules',
    group: 'DNS servers',
    summary: 'Get the number of skipped rules',
    description:
      'Each decision has a step limit for all wildcards and regular expressions of a DNS server. Rules that remain when the limit is reached are skipped and counted.',
    params: ServerParams,
    reply: SkippedRules,
    responseDescription: 'Number of skipped rules.',
    errors: [404],
    run: async (store, input, { skippedRules }) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { decisions = 0, rules = 0, lastAt } = skippedRules(server.value.id) ?? {};
      return ok({ decisions, rules, ...(lastAt !== undefined && { time_last: new Date(lastAt).toISOString() }) });
    },
  }),
];
