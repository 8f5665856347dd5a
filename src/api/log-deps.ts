import type { LogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import type { LogStatistics } from '../domain/statistics.ts';

/** The query log, as far as it is read here. */
export type Log = {
  /** A page as it is sent: whoever reads so many rows writes them sooner than they are handed on. */
  pageText(account: string, query: LogQuery): Promise<string>;
  clear(account: string): Promise<void>;
  requestsSince(account: string, from: number): Promise<number>;
  readonly statistics: LogStatistics;
};

/** Tells of an account's queries as they are kept, and of how many more there were, until what it gives back is called. */
export type WatchLog = (account: string, told: (records: readonly QueryRecord[], missed: number) => void) => () => void;
