import { queryOptions } from '@tanstack/react-query';
import { periodText } from '../components/period.ts';
import type {
  CategoryStats,
  ClientStats,
  CompanyStats,
  CountryStats,
  DeviceStats,
  DomainStats,
  TimeStats,
} from './log-wire.ts';
import { request } from './request.ts';
import { type Scope, scopeParameters } from './statistics.ts';

/** Dimensions by which statistics are grouped. */
export const subjects = ['domains', 'companies', 'devices', 'clients', 'categories', 'countries', 'time'] as const;
export type Subject = (typeof subjects)[number];

/** The API does not count blocked queries per category. */
export type CountRow = { readonly key: string; readonly queries: number; readonly blocked?: number };

type Responses = {
  readonly domains: DomainStats;
  readonly companies: CompanyStats;
  readonly devices: DeviceStats;
  readonly clients: ClientStats;
  readonly categories: CategoryStats;
  readonly countries: CountryStats;
  readonly time: TimeStats;
};

const readers: { readonly [By in Subject]: (row: Responses[By][number]) => CountRow } = {
  domains: ({ domain, value }) => ({ key: domain, ...counts(value) }),
  companies: ({ company_name, value }) => ({ key: company_name, ...counts(value) }),
  devices: ({ device_id, value }) => ({ key: device_id, ...counts(value) }),
  clients: ({ client_id, addresses, queries, blocked }) => ({ key: client_id ?? addresses[0]!, queries, blocked }),
  categories: ({ category_type, queries }) => ({ key: category_type, queries }),
  countries: ({ country, value }) => ({ key: country, ...counts(value) }),
  time: ({ time_millis, value }) => ({ key: String(time_millis), ...counts(value) }),
};

const counts = ({ queries, blocked }: { queries: number; blocked: number }) => ({ queries, blocked });

const pathOf = (by: Subject): string => (by === 'clients' ? '/api/v1/network_clients/stats' : `/oapi/v1/stats/${by}`);

async function readRows<By extends Subject>(by: By, scope: Scope, signal: AbortSignal): Promise<readonly CountRow[]> {
  const options = { query: scopeParameters(scope), signal };
  const { stats } = await request<{ stats: Responses[By][number][] }>('GET', pathOf(by), options);
  return stats.map(readers[by]);
}

export const statisticsRowsQuery = (by: Subject, scope: Scope) =>
  queryOptions({
    queryKey: ['statistics', 'rows', by, periodText(scope.period), scope.server ?? '', scope.device ?? ''],
    queryFn: ({ signal }) => readRows(by, scope, signal),
    staleTime: 15_000,
  });
