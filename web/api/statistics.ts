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

/** Of when, and of whom; no server and no device means all of them. */
export type Scope = {
  readonly period: Period;
  readonly server?: string | undefined;
  readonly device?: string | undefined;
};

type Rows<Row> = { readonly stats: Row };

const REFRESH_MS = 30_000;

/** What moves while somebody looks is asked for again; a time that is over is not. */
const isMoving = ({ period }: Scope): boolean => period.kind === 'last' && period.minutes <= 24 * 60;

export const scopeParameters = ({ period, server, device }: Scope) => {
  // At the moment of asking, and not a part of the key: what ends now is the same wish a second later.
  const { from, to } = rangeOf(period, Date.now());
  return { time_from_millis: from, time_to_millis: to, dns_servers: server, devices: device };
};

const statistic = <Answer, Told>(name: string, read: (answer: Answer) => Told) => {
  return (scope: Scope) =>
    queryOptions({
      queryKey: ['statistics', name, periodText(scope.period), scope.server ?? '', scope.device ?? ''],
      queryFn: async ({ signal }) =>
        read(await request<Answer>('GET', `/oapi/v1/stats/${name}`, { query: scopeParameters(scope), signal })),
      refetchInterval: isMoving(scope) ? REFRESH_MS : false,
      staleTime: REFRESH_MS / 2,
    });
};

const rowsOf = <Row>({ stats }: Rows<Row>): Row => stats;

export const timeStatsQuery = statistic('time', rowsOf<TimeStats>);
export const domainStatsQuery = statistic('domains', rowsOf<DomainStats>);
/** The twenty that most was asked of. */
export const companyStatsQuery = statistic('companies/detailed', rowsOf<CompanyStats>);
export const countryStatsQuery = statistic('countries', rowsOf<CountryStats>);
export const categoryStatsQuery = statistic('categories', rowsOf<CategoryStats>);
export const deviceStatsQuery = statistic('devices', rowsOf<DeviceStats>);

const RATE_MINUTES = 3;
const RATE_REFRESH_MS = 5000;

/** Queries a minute: of the last one that is over. */
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

/** Statistics name companies, the log wants their id: the latest query for a domain of the company has it. */
export async function companyIdOf(domain: string, scope: Scope): Promise<string | undefined> {
  const query = { ...scopeParameters(scope), search: domain, limit: 1 };
  const { items } = await request<LogPage>('GET', '/oapi/v1/query_log', { query });
  return items[0]?.company_id;
}
