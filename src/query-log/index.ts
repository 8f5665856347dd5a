/** The module's interface: no file outside imports below it, except tests under test/support. */
import type { runIngestThread as run } from './ingest/run-ingest-thread.ts';

export type { IngestMessage } from './ingest/ingest-message.ts';
export type { LogLocation } from './ingest/ingest-setup.ts';
export { NOTHING, newRingRecord, openRingWriter, type RingRecord } from './ingest/record-ring.ts';
export type { LogStore } from './log-store.ts';
export { openLog } from './open-log.ts';
export { openQueryLog, type QueryLog, startQueryLog } from './open-query-log.ts';
export { BATCH_HEADER, readRecordsBody } from './remote/records-body.ts';
export { nameMarker } from './segments/row.ts';

/** Loaded on call: answering threads import this file, too, and must not load the tables of companies. */
export const runIngestThread: typeof run = async (deps) =>
  (await import('./ingest/run-ingest-thread.ts')).runIngestThread(deps);
