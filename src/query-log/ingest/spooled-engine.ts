import type { EncodedBatch, LogEngine } from '../log-engine.ts';

/** Rows as they are sent to the log, compressed. They may be sent repeatedly: the log recognises the id and stores them once. */
export type PreparedInsert = { readonly id: string; readonly rows: number; readonly body: Uint8Array };

/** A log on another machine. Inserts are prepared without it, so they can be stored on disk while it fails. */
export type SpooledEngine = LogEngine & {
  /** Works in steps of some milliseconds, so that the ingest thread can read its rings between them. */
  readonly prepare: (batches: readonly EncodedBatch[]) => Promise<readonly PreparedInsert[]>;
  readonly insert: (prepared: PreparedInsert) => Promise<void>;
};
