import { queryOptions } from '@tanstack/react-query';
import { periodText } from '../components/period.ts';
import type { CategoryStats, CompanyStats, CountryStats, DeviceStats, DomainStats, TimeStats } from './log-wire.ts';
import { request } from './request.ts';
import { type Scope, scopeParameters } from './statistics.ts';

/** What statistics can be told by. */
export const subjects = ['domains', 'companies', 'devices', 'categories', 'countries', 'time'] as const;
export type Subject = (typeof subjects)[number];

/** One line of any of them; of categories nobody counts what was blocked. */
export type CountRow = { readonly key: string; readonly queries: number; readonly blocked?: number };

type Answers = {
  readonly domains: DomainStats;
  readonly companies: CompanyStats;
  readonly devices: DeviceStats;
  readonly categories: CategoryStats;
  readonly countries: CountryStats;
  readonly time: TimeStats;
};

const readers: { readonly [By in Subject]: (row: Answers[By][number]) => CountRow } = {
  domains: ({ domain, value }) => ({ key: domain, ...counted(value) }),
  companies: ({ company_name, value }) => ({ key: company_name, ...counted(value) }),
  devices: ({ device_id, value }) => ({ key: device_id, ...counted(value) }),
  categories: ({ category_type, queries }) => ({ key: category_type, queries }),
  countries: ({ country, value }) => ({ key: country, ...counted(value) }),
  time: ({ time_millis, value }) => ({ key: String(time_millis), ...counted(value) }),
};

const counted = ({ queries, blocked }: { queries: number; blocked: number }) => ({ queries, blocked });

async function readRows<By extends Subject>(by: By, scope: Scope, signal: AbortSignal): Promise<readonly CountRow[]> {
  const asking = { query: scopeParameters(scope), signal };
  const { stats } = await request<{ stats: Answers[By][number][] }>('GET', `/oapi/v1/stats/${by}`, asking);
  return stats.map(readers[by]);
}

export const statisticsRowsQuery = (by: Subject, scope: Scope) =>
  queryOptions({
    queryKey: ['statistics', 'rows', by, periodText(scope.period), scope.server ?? '', scope.device ?? ''],
    queryFn: ({ signal }) => readRows(by, scope, signal),
    staleTime: 15_000,
  });
