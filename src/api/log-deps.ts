import type { LogPage, LogQuery } from '../domain/log-query.ts';
import type { LogStatistics } from '../domain/statistics.ts';

/** The query log, as far as it is read here. */
export type Log = {
  page(account: string, query: LogQuery): Promise<LogPage>;
  clear(account: string): Promise<void>;
  requestsSince(account: string, from: number): Promise<number>;
  readonly statistics: LogStatistics;
};
