import type { LogLocation } from './ingest/ingest-setup.ts';
import { type LogEngine, toLogStore } from './log-engine.ts';
import type { LogStore } from './log-store.ts';
import type { LogEnvironment } from './segment-engine.ts';
import { openLogInThread } from './thread/log-client.ts';

type Environment = Partial<LogEnvironment> &
  Pick<LogEnvironment, 'onProblem'> & {
    /** Opens a log in files in a thread of its own. */
    readonly inThread?: boolean;
  };

/** Opens the log in files, PostgreSQL or ClickHouse, without the thread that ingests records of a DNS server. */
export async function openLog(
  location: LogLocation,
  { inThread = false, ...environment }: Environment,
): Promise<LogStore> {
  if (inThread && 'folder' in location) return openLogInThread(location.folder, environment.onProblem);
  return toLogStore(await openEngine(location, { now: Date.now, ...environment }));
}

/** The engine in this thread. `busyMs`: how long to wait for another process that writes to a file. */
export async function openEngine(
  location: LogLocation,
  { busyMs, ...environment }: LogEnvironment & { readonly busyMs?: number },
): Promise<LogEngine> {
  // Loaded on call: answering threads import this file, too.
  if ('clickhouse' in location)
    return (await import('./clickhouse/clickhouse-log.ts')).openClickhouseLog(location.clickhouse, environment);
  if ('controller' in location)
    return (await import('./remote/remote-log.ts')).openRemoteLog(location.controller, environment);
  const { openSegmentEngine } = await import('./segment-engine.ts');
  if ('folder' in location) {
    const { openSqliteBackend } = await import('./backends/sqlite-backend.ts');
    return openSegmentEngine(openSqliteBackend(location.folder, { ...environment, busyMs }), environment);
  }
  const { openPostgresBackend } = await import('./backends/postgres-backend.ts');
  return openSegmentEngine(await openPostgresBackend(location.postgres, environment.onProblem), environment);
}
