import { queryOptions } from '@tanstack/react-query';
import type { DeviceQueriesStats, LastQuery } from '../../src/client/operations.ts';
import { request } from './request.ts';

export type DeviceActivity = {
  readonly queriesToday: number;
  readonly blockedToday: number;
  readonly lastSeen: number | undefined;
};

const DAY_MS = 86_400_000;
const SEEN_DAYS = 30;
const PAGE_ROWS = 1000;
const REFRESH_MS = 30_000;

const startOfToday = (now: number): number => new Date(now).setHours(0, 0, 0, 0);

/** Statistics of all devices with queries in this period. */
async function readStats(from: number, to: number, signal: AbortSignal): Promise<readonly DeviceQueriesStats[]> {
  const rows: DeviceQueriesStats[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const query = { time_from_millis: from, time_to_millis: to, limit: PAGE_ROWS, cursor };
    const { stats, navigation } = await request('GET /oapi/v1/stats/devices', { query, signal });
    rows.push(...stats);
    cursor = navigation.next?.page_cursor;
  }
  return rows;
}

/** Queries of today and the last query within 30 days, by device id. */
export const deviceActivityQuery = queryOptions({
  queryKey: ['statistics', 'device activity'],
  queryFn: async ({ signal }) => {
    const now = Date.now();
    // The clock of the browser may be behind that of the service.
    const to = now + DAY_MS;
    const [today, seen] = await Promise.all([
      readStats(startOfToday(now), to, signal),
      readStats(now - SEEN_DAYS * DAY_MS, to, signal),
    ]);
    const countsOf = new Map(today.map(({ device_id, value }) => [device_id, value]));
    return new Map(
      seen.map(({ device_id, last_activity_time_millis: lastSeen }): [string, DeviceActivity] => {
        const { queries = 0, blocked = 0 } = countsOf.get(device_id) ?? {};
        return [device_id, { queriesToday: queries, blockedToday: blocked, lastSeen }];
      }),
    );
  },
  refetchInterval: REFRESH_MS,
});

/** Protocol and address of the last query, by device id. */
export const lastQueriesQuery = (devices: readonly string[]) =>
  queryOptions({
    queryKey: ['statistics', 'last queries', devices],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, LastQuery>> => {
      const rows = await request('GET /api/v1/query_log/last', { query: { devices }, signal });
      return new Map(rows.map((row) => [row.device_id, row]));
    },
    refetchInterval: REFRESH_MS,
  });
