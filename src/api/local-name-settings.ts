import type { Static } from 'typebox';
import { checkLocalNameSettings, rebindingPresets } from '../domain/local-name-settings.ts';
import type { ProfileExtensions } from '../domain/profile-extensions.ts';
import { ok } from '../kit/result.ts';
import { findServer, ServerParams, serverState } from './dns-servers.ts';
import { mutation, type Operation, query } from './operation.ts';
import { replaceProfile } from './replace-profile.ts';
import { withExtensions } from './temporary-rules.ts';
import { LocalNameSettings, LocalNameSettingsUpdate } from './wire/local-names.ts';

const group = 'DNS servers';

const toWire = ({ dns64, rebindingAllowed, searchDomains }: ProfileExtensions): Static<typeof LocalNameSettings> => ({
  ...(dns64 && { dns64 }),
  rebinding_allowed: [...rebindingAllowed],
  search_domains: [...searchDomains],
  rebinding_presets: [...rebindingPresets],
});

export const localNameSettingOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/local_names',
    operationId: 'getDNSServerLocalNames',
    group,
    summary: 'Get DNS64, search domains and allowed private answers of a DNS server',
    description: 'The settings for names and addresses of private networks.',
    params: ServerParams,
    stateOf: serverState,
    reply: LocalNameSettings,
    responseDescription: 'The settings, and well-known domains with private addresses.',
    errors: [404],
    run: async (store, input) => {
      const server = await findServer(store, input);
      return server.ok ? ok(toWire(server.value.settings.own)) : server;
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/dns_servers/:dns_server_id/local_names',
    operationId: 'updateDNSServerLocalNames',
    group,
    summary: 'Set DNS64, search domains and allowed private answers of a DNS server',
    description: 'All members are replaced.',
    params: ServerParams,
    stateOf: serverState,
    body: LocalNameSettingsUpdate,
    reply: LocalNameSettings,
    responseDescription: 'Settings updated; they apply from the next query on.',
    errors: [400, 404],
    run: async (store, input) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { dns64, rebinding_allowed: rebindingAllowed, search_domains: searchDomains } = input.body;
      const settings = checkLocalNameSettings({ dns64, rebindingAllowed, searchDomains });
      if (!settings.ok) return settings;
      const after = withExtensions(server.value, { ...server.value.settings.own, ...settings.value });
      const reply = toWire(after.settings.own);
      return replaceProfile(store, { before: server.value, after, action: 'dns_server.local_names' }, reply);
    },
  }),
];
