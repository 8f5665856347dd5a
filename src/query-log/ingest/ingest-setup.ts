import type { MessagePort } from 'node:worker_threads';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { SpoolLocation } from './disk-spool.ts';

export type LogLocation =
  | { readonly folder: string }
  | { readonly postgres: string }
  | ClickhouseLocation
  | ControllerLocation;

/** Without a spool, rows are buffered in memory only. */
type ClickhouseLocation = { readonly clickhouse: string; readonly spool?: SpoolLocation };

/** The log of the controller, to which this node sends its records. It cannot be read. */
type ControllerLocation = {
  readonly controller: { readonly url: string; readonly key: string };
  readonly spool: SpoolLocation;
};

/** Start data of the ingest thread. */
export type IngestSetup = {
  readonly log: LogLocation;
  readonly rings: readonly SharedArrayBuffer[];
  /** See record-counts.ts. */
  readonly counts: SharedArrayBuffer;
  readonly clientIdPort: MessagePort;
  /** True if it replaces a thread that ended: it must receive all ids before it reads the rings. */
  readonly isSecond: boolean;
  readonly companies: string | undefined;
  readonly geoDatabases: readonly string[];
};

/** New records of a subscribed account. */
export type TailMessage = {
  readonly kind: 'seen';
  readonly account: string;
  readonly records: readonly QueryRecord[];
  /** Records beyond the limit of one message. */
  readonly missed: number;
};
