import type { MessagePort } from 'node:worker_threads';
import type { QueryRecord } from '../../domain/query-record.ts';

export type LogLocation = { readonly folder: string } | { readonly postgres: string };

/** What the thread that keeps records is started with. */
export type IngestSetup = {
  readonly log: LogLocation;
  readonly rings: readonly SharedArrayBuffer[];
  /** See record-counts.ts. */
  readonly counts: SharedArrayBuffer;
  readonly naming: MessagePort;
  /** Whether it takes the place of one that was lost: then rings hold what it must be told about first. */
  readonly isSecond: boolean;
  readonly companies: string | undefined;
  readonly geoDatabases: readonly string[];
};

/** Told by the thread without being asked: what somebody watches. */
export type TailMessage = {
  readonly kind: 'seen';
  readonly account: string;
  readonly records: readonly QueryRecord[];
  /** Beyond what one message carries. */
  readonly missed: number;
};
