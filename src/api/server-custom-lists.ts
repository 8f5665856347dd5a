import { chooseLists } from '../domain/custom-list.ts';
import { ok } from '../kit/result.ts';
import { findServer, ServerParams, serverState } from './dns-servers.ts';
import { mutation, type Operation, query } from './operation.ts';
import { replaceProfile } from './replace-profile.ts';
import { withExtensions } from './temporary-rules.ts';
import { ChosenLists, ChosenListsUpdate } from './wire/profile-extensions.ts';

const group = 'DNS servers';

export const serverCustomListOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/custom_lists',
    operationId: 'getDNSServerCustomLists',
    group,
    summary: 'Get the custom lists of a DNS server',
    description: 'The custom lists of the account that this DNS server uses, each enabled or disabled.',
    params: ServerParams,
    stateOf: serverState,
    reply: ChosenLists,
    responseDescription: 'The lists.',
    errors: [404],
    run: async (store, input) => {
      const server = await findServer(store, input);
      return server.ok ? ok({ custom_lists: [...server.value.settings.own.customLists] }) : server;
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/dns_servers/:dns_server_id/custom_lists',
    operationId: 'updateDNSServerCustomLists',
    group,
    summary: 'Set the custom lists of a DNS server',
    description:
      'Custom lists take precedence over the filter lists of the catalogue; user rules take precedence over custom lists.',
    params: ServerParams,
    stateOf: serverState,
    body: ChosenListsUpdate,
    reply: ChosenLists,
    responseDescription: 'Custom lists updated; each applies as soon as it is loaded.',
    errors: [400, 404],
    run: async (store, input) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const existingIds = new Set((await store.customLists.list(input.caller.account)).map(({ id }) => id));
      const chosen = chooseLists(input.body.custom_lists, existingIds);
      if (!chosen.ok) return chosen;
      const after = withExtensions(server.value, { ...server.value.settings.own, customLists: chosen.value });
      const reply = { custom_lists: [...chosen.value] };
      return replaceProfile(store, { before: server.value, after, action: 'dns_server.custom_lists' }, reply);
    },
  }),
];
