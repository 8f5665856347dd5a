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
    summary: 'What becomes of a question, and why',
    description:
      'As the settings are at this moment, for a device of this server or for none. Nobody is asked and nothing is logged: what an upstream would answer, and whether that is filtered, is not told.',
    params: ServerParams,
    body: ExplainQuestion,
    reply: Explanation,
    responseDescription: 'The verdict and every rule that matches, in the order of precedence.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const server = await findServer(store, input);
      if (!server.ok) return server;
      const { name, type = 'A', device_id } = input.body;
      const id = device_id === undefined ? undefined : parseDeviceId(device_id);
      const device = id && (await store.devices.find(input.caller.account, id));
      if (device_id !== undefined && device?.profile !== server.value.id)
        return err(invalid('device_id', 'there is no such device of this DNS server'));
      const explained = await deps.explain({ dnsServer: server.value.id, device: device?.id, name, type });
      return explained.ok ? ok(explanationToWire(explained.value)) : explained;
    },
  }),
];
