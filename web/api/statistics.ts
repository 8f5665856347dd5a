import { queryOptions } from '@tanstack/react-query';
import { type Period, periodText, rangeOf } from '../components/period.ts';
import { request } from './request.ts';

/** Period and optional filters; without a server or device, all are included. */
export type Scope = {
  readonly period: Period;
  readonly server?: string | undefined;
  readonly device?: string | undefined;
};

const REFRESH_MS = 30_000;

/** Only periods that include the present and are short enough to change visibly are refetched. */
const isCurrent = ({ period }: Scope): boolean => period.kind === 'last' && period.minutes <= 24 * 60;

export const scopeParameters = ({ period, server, device }: Scope) => {
  // Computed per request and not part of the query key: a period that ends now stays the same query.
  const { from, to } = rangeOf(period, Date.now());
  return { time_from_millis: from, time_to_millis: to, dns_servers: server, devices: device };
};

export type StatisticOptions = { readonly query: ReturnType<typeof scopeParameters>; readonly signal: AbortSignal };

const statistic =
  <Row>(name: string, read: (options: StatisticOptions) => Promise<{ readonly stats: Row[] }>) =>
  (scope: Scope) =>
    queryOptions({
      queryKey: ['statistics', name, periodText(scope.period), scope.server ?? '', scope.device ?? ''],
      queryFn: async ({ signal }) => (await read({ query: scopeParameters(scope), signal })).stats,
      refetchInterval: isCurrent(scope) ? REFRESH_MS : false,
      staleTime: REFRESH_MS / 2,
    });

export const timeStatsQuery = statistic('time', (options) => request('GET /oapi/v1/stats/time', options));
export const domainStatsQuery = statistic('domains', (options) => request('GET /oapi/v1/stats/domains', options));
/** Top 20 companies by queries. */
export const companyStatsQuery = statistic('companies/detailed', (options) =>
  request('GET /oapi/v1/stats/companies/detailed', options),
);
export const countryStatsQuery = statistic('countries', (options) => request('GET /oapi/v1/stats/countries', options));
export const categoryStatsQuery = statistic('categories', (options) =>
  request('GET /oapi/v1/stats/categories', options),
);
export const deviceStatsQuery = statistic('devices', (options) => request('GET /oapi/v1/stats/devices', options));

/** Queries blocked by each list. */
export const listStatsQuery = statistic('lists', (options) => request('GET /api/v1/stats/lists', options));
export const activeDevicesQuery = statistic('active_devices', (options) =>
  request('GET /api/v1/stats/active_devices', options),
);
export const latencyStatsQuery = statistic('latency', (options) => request('GET /api/v1/stats/latency', options));

const RATE_MINUTES = 3;
const RATE_REFRESH_MS = 5000;

/** Queries in the last complete minute. */
export const rateQuery = ({ server, device }: Omit<Scope, 'period'>) =>
  queryOptions({
    queryKey: ['statistics', 'rate', server ?? '', device ?? ''],
    queryFn: async ({ signal }) => {
      const query = scopeParameters({ period: { kind: 'last', minutes: RATE_MINUTES }, server, device });
      const { stats } = await request('GET /oapi/v1/stats/time', { query, signal });
      return stats.at(-2)?.value.queries ?? 0;
    },
    refetchInterval: RATE_REFRESH_MS,
  });

/**
 * Statistics contain company names, but the log filters by company id; the id is read from the latest query for one of the
 * company's domains.
 */
export async function companyIdOf(domain: string, scope: Scope): Promise<string | undefined> {
  const query = { ...scopeParameters(scope), search: domain, limit: 1 };
  const { items } = await request('GET /oapi/v1/query_log', { query });
  return items[0]?.company_id;
}
