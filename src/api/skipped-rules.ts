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
    summary: 'Rules that take too long',
    description:
      'A decision takes a limited number of steps over all wildcards and regular expressions of a DNS server. Those that are left when the steps are used up are skipped, and counted here.',
    params: ServerParams,
    reply: SkippedRules,
    responseDescription: 'How often rules were skipped.',
    errors: [404],
    run: async (store, input, { skippedRules }) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { decisions = 0, rules = 0, lastAt } = skippedRules(server.value.id) ?? {};
      return ok({ decisions, rules, ...(lastAt !== undefined && { time_last: new Date(lastAt).toISOString() }) });
    },
  }),
];
