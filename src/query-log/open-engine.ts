import type { LogLocation } from './ingest/ingest-setup.ts';
import type { LogEngine } from './log-engine.ts';
import { type LogEnvironment, openLogEngine } from './query-log.ts';

/** `busyMs`: how long to wait for another process that writes to a file. */
export async function openEngine(
  location: LogLocation,
  { busyMs, ...environment }: LogEnvironment & { readonly busyMs?: number },
): Promise<LogEngine> {
  if ('folder' in location) {
    const { openSqliteBackend } = await import('./backends/sqlite-backend.ts');
    return openLogEngine(openSqliteBackend(location.folder, { ...environment, busyMs }), environment);
  }
  const { openPostgresBackend } = await import('./backends/postgres-backend.ts');
  return openLogEngine(await openPostgresBackend(location.postgres, environment.onProblem), environment);
}
