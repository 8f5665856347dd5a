import { queryOptions } from '@tanstack/react-query';
import { periodText } from '../components/period.ts';
import { request } from './request.ts';
import { type Scope, type StatisticOptions, scopeParameters } from './statistics.ts';

/** Dimensions by which statistics are grouped. */
export const subjects = ['domains', 'companies', 'devices', 'clients', 'categories', 'countries', 'time'] as const;
export type Subject = (typeof subjects)[number];

/** The API does not count blocked queries per category. */
export type CountRow = { readonly key: string; readonly queries: number; readonly blocked?: number };

type Reader = (options: StatisticOptions) => Promise<readonly CountRow[]>;

const readers: Readonly<Record<Subject, Reader>> = {
  domains: async (options) =>
    (await request('GET /oapi/v1/stats/domains', options)).stats.map(({ domain, value }) => row(domain, value)),
  companies: async (options) =>
    (await request('GET /oapi/v1/stats/companies', options)).stats.map(({ company_name, value }) =>
      row(company_name, value),
    ),
  devices: async (options) =>
    (await request('GET /oapi/v1/stats/devices', options)).stats.map(({ device_id, value }) => row(device_id, value)),
  clients: async (options) =>
    (await request('GET /api/v1/network_clients/stats', options)).stats.map(
      ({ client_id, addresses, queries, blocked }) => ({ key: client_id ?? addresses[0]!, queries, blocked }),
    ),
  categories: async (options) =>
    (await request('GET /oapi/v1/stats/categories', options)).stats.map(({ category_type, queries }) => ({
      key: category_type,
      queries,
    })),
  countries: async (options) =>
    (await request('GET /oapi/v1/stats/countries', options)).stats.map(({ country, value }) => row(country, value)),
  time: async (options) =>
    (await request('GET /oapi/v1/stats/time', options)).stats.map(({ time_millis, value }) =>
      row(String(time_millis), value),
    ),
};

const row = (key: string, { queries, blocked }: { queries: number; blocked: number }): CountRow => ({
  key,
  queries,
  blocked,
});

export const statisticsRowsQuery = (by: Subject, scope: Scope) =>
  queryOptions({
    queryKey: ['statistics', 'rows', by, periodText(scope.period), scope.server ?? '', scope.device ?? ''],
    queryFn: ({ signal }) => readers[by]({ query: scopeParameters(scope), signal }),
    staleTime: 15_000,
  });
