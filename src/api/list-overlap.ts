import Type from 'typebox';
import { ok } from '../kit/result.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { type Operation, query } from './operation.ts';
import { ListOverlap } from './wire/list-health.ts';

export const listOverlapOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/list_overlap',
    operationId: 'getDNSServerListOverlap',
    group: 'DNS servers',
    summary: 'Get the number of domains that only one list of a DNS server has',
    description:
      'For each enabled and loaded filter list or custom list. Rules with modifiers, wildcards and regular expressions are not counted.',
    params: ServerParams,
    reply: Type.Array(ListOverlap),
    responseDescription: 'The lists, ordered by id.',
    errors: [404],
    run: async (store, input, { listOverlap }) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { filterLists, own } = server.value.settings;
      const enabled = [...filterLists.lists, ...own.customLists].filter((list) => list.enabled);
      const lists = await listOverlap(enabled.map(({ id }) => id));
      return ok(lists.map(({ id, domains, unique }) => ({ id, domains_count: domains, unique_count: unique })));
    },
  }),
];
