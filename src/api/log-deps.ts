import type { LogPage, LogQuery } from '../domain/log-query.ts';
import type {
  CategoryCounts,
  CompanyCounts,
  CompanyDetailsPage,
  CountryCounts,
  DeviceCounts,
  DomainCounts,
  StatisticsQuery,
  TimeCounts,
} from '../domain/statistics.ts';

type Statistic<T> = (account: string, query: StatisticsQuery) => Promise<T>;

/** The query log, as far as it is read here. */
export type Log = {
  page(account: string, query: LogQuery): Promise<LogPage>;
  clear(account: string): Promise<void>;
  requestsSince(account: string, from: number): Promise<number>;
  readonly statistics: {
    readonly categories: Statistic<readonly CategoryCounts[]>;
    readonly companies: Statistic<readonly CompanyCounts[]>;
    readonly companiesDetailed: (
      account: string,
      query: StatisticsQuery & { readonly limit: number; readonly page?: number },
    ) => Promise<CompanyDetailsPage>;
    readonly countries: Statistic<readonly CountryCounts[]>;
    readonly devices: Statistic<readonly DeviceCounts[]>;
    readonly domains: Statistic<readonly DomainCounts[]>;
    readonly time: Statistic<readonly TimeCounts[]>;
  };
};
