import { queryOptions } from '@tanstack/react-query';
import { type Period, periodText, rangeOf } from '../components/period.ts';
import type {
  CategoryStats,
  CompanyStats,
  CountryStats,
  DeviceStats,
  DomainStats,
  LogPage,
  TimeStats,
} from './log-wire.ts';
import { request } from './request.ts';

/** Period and optional filters; without a server or device, all are included. */
export type Scope = {
  readonly period: Period;
  readonly server?: string | undefined;
  readonly device?: string | undefined;
};

type Rows<Row> = { readonly stats: Row };

const REFRESH_MS = 30_000;

/** Only periods that include the present and are short enough to change visibly are refetched. */
const isCurrent = ({ period }: Scope): boolean => period.kind === 'last' && period.minutes <= 24 * 60;

export const scopeParameters = ({ period, server, device }: Scope) => {
  // Computed per request and not part of the query key: a period that ends now stays the same query.
  const { from, to } = rangeOf(period, Date.now());
  return { time_from_millis: from, time_to_millis: to, dns_servers: server, devices: device };
};

const statistic = <Response, Data>(name: string, read: (response: Response) => Data) => {
  return (scope: Scope) =>
    queryOptions({
      queryKey: ['statistics', name, periodText(scope.period), scope.server ?? '', scope.device ?? ''],
      queryFn: async ({ signal }) =>
        read(await request<Response>('GET', `/oapi/v1/stats/${name}`, { query: scopeParameters(scope), signal })),
      refetchInterval: isCurrent(scope) ? REFRESH_MS : false,
      staleTime: REFRESH_MS / 2,
    });
};

const rowsOf = <Row>({ stats }: Rows<Row>): Row => stats;

export const timeStatsQuery = statistic('time', rowsOf<TimeStats>);
export const domainStatsQuery = statistic('domains', rowsOf<DomainStats>);
/** Top 20 companies by queries. */
export const companyStatsQuery = statistic('companies/detailed', rowsOf<CompanyStats>);
export const countryStatsQuery = statistic('countries', rowsOf<CountryStats>);
export const categoryStatsQuery = statistic('categories', rowsOf<CategoryStats>);
export const deviceStatsQuery = statistic('devices', rowsOf<DeviceStats>);

const RATE_MINUTES = 3;
const RATE_REFRESH_MS = 5000;

/** Queries in the last complete minute. */
export const rateQuery = ({ server, device }: Omit<Scope, 'period'>) =>
  queryOptions({
    queryKey: ['statistics', 'rate', server ?? '', device ?? ''],
    queryFn: async ({ signal }) => {
      const query = scopeParameters({ period: { kind: 'last', minutes: RATE_MINUTES }, server, device });
      const { stats } = await request<Rows<TimeStats>>('GET', '/oapi/v1/stats/time', { query, signal });
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
  const { items } = await request<LogPage>('GET', '/oapi/v1/query_log', { query });
  return items[0]?.company_id;
}
