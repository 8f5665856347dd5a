import type { Static } from 'typebox';
import { mayWrite } from '../domain/account.ts';
import { invalid } from '../domain/domain-error.ts';
import type { ProfileExtensions } from '../domain/profile-extensions.ts';
import { withoutUrlSecrets } from '../domain/url-secrets.ts';
import { err, ok } from '../kit/result.ts';
import { findServer, ServerParams, serverState } from './dns-servers.ts';
import { mutation, type Operation, query } from './operation.ts';
import { replaceProfile } from './replace-profile.ts';
import { withExtensions } from './temporary-rules.ts';
import { Upstreams } from './wire/profile-extensions.ts';

const group = 'DNS servers';

const toWire = ({ upstreams, upstreamStrategy: strategy }: ProfileExtensions): Static<typeof Upstreams> => ({
  upstreams: [...upstreams],
  ...(strategy && { strategy }),
});

export const customUpstreamOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/upstreams',
    operationId: 'getDNSServerUpstreams',
    group,
    summary: 'Get the upstreams of a DNS server',
    description:
      'The resolvers that answer the queries of this DNS server. User names, passwords and queries of URLs are hidden from viewers.',
    params: ServerParams,
    stateOf: serverState,
    reply: Upstreams,
    responseDescription: 'Custom upstreams; empty if the upstreams of the operator are used.',
    errors: [404],
    run: async (store, input) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { own: extensions } = server.value.settings;
      const shown = mayWrite(input.caller.role)
        ? extensions
        : { ...extensions, upstreams: extensions.upstreams.map(withoutUrlSecrets) };
      return ok(toWire(shown));
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/dns_servers/:dns_server_id/upstreams',
    operationId: 'updateDNSServerUpstreams',
    group,
    summary: 'Set the upstreams of a DNS server',
    description:
      'At most eight, at public addresses and ports 53, 443 and 853. Their answers are cached separately. Forwarding rules of the operator still apply.',
    params: ServerParams,
    stateOf: serverState,
    body: Upstreams,
    reply: Upstreams,
    responseDescription: 'Upstreams updated; they are used from the next query on.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const upstreams = deps.checkUpstreams(input.body.upstreams);
      if (!upstreams.ok) return upstreams;
      const { strategy: upstreamStrategy } = input.body;
      if (upstreamStrategy && upstreams.value.length === 0)
        return err(
          invalid('strategy', 'needs custom upstreams: those of the operator have the strategy of the operator'),
        );
      const extensions = { ...server.value.settings.own, upstreams: upstreams.value, upstreamStrategy };
      const after = withExtensions(server.value, extensions);
      return replaceProfile(store, { before: server.value, after, action: 'dns_server.upstreams' }, toWire(extensions));
    },
  }),
];
