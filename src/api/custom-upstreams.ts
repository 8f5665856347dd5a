import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { withoutUrlSecrets } from '../domain/url-secrets.ts';
import { ok } from '../kit/result.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { change, type Operation, read } from './operation.ts';
import { withOwn } from './temporary-rules.ts';
import { Upstreams } from './wire/profile-extensions.ts';

const group = 'DNS servers';

export const ownUpstreamOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/api/v1/dns_servers/:dns_server_id/upstreams',
    operationId: 'getDNSServerUpstreams',
    group,
    summary: 'The upstreams of a DNS server',
    params: ServerParams,
    reply: Upstreams,
    replyWords: 'Its own; none where the operator’s are asked.',
    refusals: [404],
    run: async (store, asked) => {
      const server = await findServer(store, asked);
      if (!server.ok) return server;
      const { upstreams } = server.value.settings.own;
      return ok({ upstreams: mayWrite(asked.caller.role) ? [...upstreams] : upstreams.map(withoutUrlSecrets) });
    },
  }),
  change({
    method: 'PUT',
    path: '/api/v1/dns_servers/:dns_server_id/upstreams',
    operationId: 'updateDNSServerUpstreams',
    group,
    summary: 'Choose the upstreams of a DNS server',
    description:
      'At most eight, at public addresses and the ports 53, 443 and 853. Answers of theirs are kept apart from those of others. Domains that the operator forwards are forwarded all the same.',
    params: ServerParams,
    body: Upstreams,
    reply: Upstreams,
    replyWords: 'They are asked from the next query on.',
    refusals: [400, 404],
    run: async (store, asked, deps) => {
      const server = await findServer(store, asked);
      if (!server.ok) return server;
      const upstreams = deps.checkUpstreams(asked.body.upstreams);
      if (!upstreams.ok) return upstreams;
      const after = withOwn(server.value, { ...server.value.settings.own, upstreams: upstreams.value });
      await store.profiles.update(after);
      const audit = { action: 'dns_server.upstreams', subject: after.id, ...changed(server.value, after) };
      return ok({ reply: { upstreams: [...upstreams.value] }, audit });
    },
  }),
];
