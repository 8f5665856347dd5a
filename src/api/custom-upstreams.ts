import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { withoutUrlSecrets } from '../domain/url-secrets.ts';
import { ok } from '../kit/result.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { mutation, type Operation, query } from './operation.ts';
import { withOwn } from './temporary-rules.ts';
import { Upstreams } from './wire/profile-extensions.ts';

const group = 'DNS servers';

export const customUpstreamOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/upstreams',
    operationId: 'getDNSServerUpstreams',
    group,
    summary: 'Get the upstreams of a DNS server',
    params: ServerParams,
    reply: Upstreams,
    responseDescription: 'Custom upstreams; empty if the upstreams of the operator are used.',
    errors: [404],
    run: async (store, input) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { upstreams } = server.value.settings.own;
      return ok({ upstreams: mayWrite(input.caller.role) ? [...upstreams] : upstreams.map(withoutUrlSecrets) });
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
    body: Upstreams,
    reply: Upstreams,
    responseDescription: 'Upstreams updated; they are used from the next query on.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const upstreams = deps.checkUpstreams(input.body.upstreams);
      if (!upstreams.ok) return upstreams;
      const after = withOwn(server.value, { ...server.value.settings.own, upstreams: upstreams.value });
      await store.profiles.update(after);
      const audit = { action: 'dns_server.upstreams', subject: after.id, ...changed(server.value, after) };
      return ok({ reply: { upstreams: [...upstreams.value] }, audit });
    },
  }),
];
