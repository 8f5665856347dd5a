import type { LogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import type { LogStatistics } from '../domain/statistics.ts';

/** The read interface of the query log. */
export type Log = {
  /** A page as JSON text: serialising in the ingest thread is cheaper than transferring the rows. */
  pageJson(account: string, query: LogQuery): Promise<string>;
  clear(account: string): Promise<void>;
  requestsSince(account: string, from: number): Promise<number>;
  readonly statistics: LogStatistics;
};

/** Subscribes to new queries of an account and the number of dropped ones; returns an unsubscribe function. */
export type WatchLog = (
  account: string,
  listener: (records: readonly QueryRecord[], missed: number) => void,
) => () => void;
