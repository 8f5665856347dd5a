import Type, { type Static } from 'typebox';
import type * as domain from '../../domain/statistics.ts';
import { int64, object } from './named.ts';

const ListStats = object('ListStats', 'Queries blocked by a list.', {
  filter_id: Type.String({ description: 'A list of the catalogue, a custom list, or a list of the service.' }),
  blocked: int64(),
});
export const ListStatsList = object('ListStatsList', 'The rows.', { stats: Type.Array(ListStats) });

const LatencyStats = object('LatencyStats', 'Latency in a time interval.', {
  time_millis: int64({ description: 'Start of the interval.' }),
  queries: int64({ description: 'Queries with a known latency.' }),
  average_millis: Type.Optional(
    Type.Number({ description: 'Average milliseconds from receipt to answer; missing if there were no such queries.' }),
  ),
});
export const LatencyStatsList = object('LatencyStatsList', 'The intervals.', { stats: Type.Array(LatencyStats) });

const ActiveDevices = object('ActiveDevices', 'Active devices in a time interval.', {
  time_millis: int64({ description: 'Start of the interval.' }),
  devices: int64({ description: 'Devices with at least one query.' }),
});
export const ActiveDevicesList = object('ActiveDevicesList', 'The intervals.', { stats: Type.Array(ActiveDevices) });

export const listsToWire = (rows: readonly domain.ListCounts[]): Static<typeof ListStatsList> => ({
  stats: rows.map(({ filterId, blocked }) => ({ filter_id: filterId, blocked })),
});

export const latenciesToWire = (rows: readonly domain.LatencyBucket[]): Static<typeof LatencyStatsList> => ({
  stats: rows.map(({ time, queries, averageMs }) => ({
    time_millis: time,
    queries,
    ...(averageMs !== undefined && { average_millis: averageMs }),
  })),
});

export const activeDevicesToWire = (rows: readonly domain.ActiveDevices[]): Static<typeof ActiveDevicesList> => ({
  stats: rows.map(({ time, devices }) => ({ time_millis: time, devices })),
});
