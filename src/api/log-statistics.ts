import Type, { type TSchema } from 'typebox';
import type { StatisticsQuery } from '../domain/statistics.ts';
import { ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { type Operation, query } from './operation.ts';
import { rangeFromWire, rangeParameters } from './time-range.ts';
import {
  ActiveDevicesList,
  activeDevicesToWire,
  LatencyStatsList,
  ListStatsList,
  latenciesToWire,
  listsToWire,
} from './wire/log-statistics.ts';

type Statistic = {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly reply: TSchema;
  readonly run: (deps: Deps, account: string, query: StatisticsQuery) => Promise<object>;
};

const statistic = ({ name, operationId, summary, description, reply, run }: Statistic): Operation =>
  query({
    method: 'GET',
    path: `/api/v1/stats/${name}`,
    operationId,
    group: 'Statistics',
    summary,
    description,
    query: Type.Object(rangeParameters),
    reply,
    responseDescription: 'Statistics.',
    errors: [400],
    run: async (_store, { caller, query }, deps) => {
      const range = rangeFromWire(query);
      return range.ok ? ok(await run(deps, caller.account, range.value)) : range;
    },
  });

const fromEntries = 'Counted from the entries of the log: as long as these are kept.';
const wholeIntervals = 'Whole minutes, hours or days in UTC, as in the query statistics over time.';

/** Statistics that the published API does not have. */
export const logStatisticsOperations: readonly Operation[] = [
  statistic({
    name: 'lists',
    operationId: 'getListStats',
    summary: 'Get blocked queries by filter list',
    description: `Queries that each list has blocked, most first; in whole minutes, hours or days in UTC. ${fromEntries}`,
    reply: ListStatsList,
    run: async ({ log }, account, query) => listsToWire(await log.statistics.lists(account, query)),
  }),
  statistic({
    name: 'latency',
    operationId: 'getLatencyStats',
    summary: 'Get the average latency over time',
    description: `${wholeIntervals} ${fromEntries}`,
    reply: LatencyStatsList,
    run: async ({ log }, account, query) => latenciesToWire(await log.statistics.latency(account, query)),
  }),
  statistic({
    name: 'active_devices',
    operationId: 'getActiveDevicesStats',
    summary: 'Get the number of active devices over time',
    description: `Devices with at least one query. ${wholeIntervals}`,
    reply: ActiveDevicesList,
    run: async ({ log }, account, query) => activeDevicesToWire(await log.statistics.activeDevices(account, query)),
  }),
];
