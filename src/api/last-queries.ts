import Type, { type Static } from 'typebox';
import { DAY_MS } from '../kit/durations.ts';
import { ok } from '../kit/result.ts';
import { type Operation, query } from './operation.ts';
import { object } from './wire/named.ts';
import { QueryLogItem, type QueryLogResponse } from './wire/query-log.ts';

const SEEN_MS = 30 * DAY_MS;
const MAX_DEVICES = 50;

const { device_id, time_millis, dns_proto_type, client_address } = QueryLogItem.properties;
const LastQuery = object('LastQuery', 'The last query of a device.', {
  device_id,
  time_millis,
  dns_proto_type,
  client_address,
});

export const lastQueryOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/query_log/last',
    operationId: 'getLastQueries',
    group: 'Query log',
    summary: 'Get the last query of devices',
    description: 'Protocol, address and time of the last query of each device, from the log of the last 30 days.',
    query: Type.Object({
      devices: Type.Array(Type.String({ maxLength: 255 }), {
        minItems: 1,
        maxItems: MAX_DEVICES,
        description: 'Ids of devices.',
      }),
    }),
    reply: Type.Array(LastQuery),
    responseDescription: 'One entry for each device that has a query in the log.',
    errors: [400],
    run: async (_store, { caller, query: { devices } }, { log, now }) => {
      const range = { from: now() - SEEN_MS, to: now() + 1, limit: 1 };
      const pages = await Promise.all(
        [...new Set(devices)].map((device) => log.pageJson(caller.account, { ...range, devices: [device] })),
      );
      return ok(pages.flatMap((page) => (JSON.parse(page) as Static<typeof QueryLogResponse>).items).map(toWire));
    },
  }),
];

const toWire = (item: Static<typeof QueryLogItem>): Static<typeof LastQuery> => ({
  device_id: item.device_id,
  time_millis: item.time_millis,
  ...(item.dns_proto_type && { dns_proto_type: item.dns_proto_type }),
  ...(item.client_address !== undefined && { client_address: item.client_address }),
});
