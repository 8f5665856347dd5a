import { invalid } from '../domain/domain-error.ts';
import { parseDeviceId } from '../domain/ids.ts';
import { err, ok } from '../kit/result.ts';
import { findServer, ServerParams } from './dns-servers.ts';
import { type Operation, query } from './operation.ts';
import { ExplainQuestion, Explanation, explanationToWire } from './wire/explanation.ts';

export const explainOperations: readonly Operation[] = [
  query({
    method: 'POST',
    path: '/api/v1/dns_servers/:dns_server_id/explain',
    operationId: 'explainQuery',
    group: 'DNS servers',
    summary: 'Explain the decision for a query',
    description:
      'Uses the current settings, optionally for a device of this DNS server. With `client` it shows which device a client without an id is recognised as, the identifier that matched, and other matches. No upstream is queried and nothing is logged. The upstream response is filtered too: `answer` names the lists that filter it, and the decision on the names and addresses in `answer` of the request.',
    params: ServerParams,
    body: ExplainQuestion,
    reply: Explanation,
    responseDescription: 'The decision and all matching rules in order of precedence.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { name, type = 'A', device_id, answer = [], client_address: clientAddress, client } = input.body;
      const id = device_id === undefined ? undefined : parseDeviceId(device_id);
      const device = id && (await store.devices.find(input.caller.account, id));
      if (device_id !== undefined && device?.profile !== server.value.id)
        return err(invalid('device_id', 'is not a device of this DNS server'));
      if (client && device_id !== undefined) return err(invalid('client', 'is for queries without `device_id`'));
      const explained = await deps.explain({
        account: input.caller.account,
        dnsServer: server.value.id,
        device: device?.id,
        name,
        type,
        answer,
        clientAddress,
        client,
      });
      return explained.ok ? ok(explanationToWire(explained.value)) : explained;
    },
  }),
];
