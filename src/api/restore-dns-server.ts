import { MAX_EXPRESSION_STEPS } from '../domain/account-limits.ts';
import { parseProfileId } from '../domain/ids.ts';
import { err, ok } from '../kit/result.ts';
import { restoreProfile } from '../operations/remove-profile.ts';
import { deviceIds, expressionStepsBeside, ServerParams } from './dns-servers.ts';
import { mutation, type Operation } from './operation.ts';
import { DNSServer, dnsServerToWire } from './wire/dns-server.ts';

export const restoreDnsServerOperations: readonly Operation[] = [
  mutation({
    method: 'POST',
    path: '/api/v1/dns_servers/:dns_server_id/restore',
    operationId: 'restoreDNSServer',
    group: 'DNS servers',
    summary: 'Restore a DNS server that was deleted',
    description:
      'Within a minute after the deletion: with its id, settings, local records and forwarding rules, and with its devices and networks unless they were moved meanwhile.',
    params: ServerParams,
    reply: DNSServer,
    responseDescription: 'The DNS server.',
    errors: [404, 429],
    run: async (store, { caller: { account }, params }, deps) => {
      const id = parseProfileId(params.dns_server_id);
      const restored = id && (await restoreProfile(store, deps, account, id));
      if (!restored) return err({ kind: 'not found', what: 'DNS server' });
      if (!restored.ok) return restored;
      const steps = await expressionStepsBeside(store, account, deps, undefined);
      if (steps > MAX_EXPRESSION_STEPS)
        return err({ kind: 'limit reached', what: 'userRules', limit: MAX_EXPRESSION_STEPS });
      const { profile, audit } = restored.value;
      return ok({ reply: dnsServerToWire(profile, await deviceIds(store, account, profile.id)), audit });
    },
  }),
];
