import type { Logger } from 'pino';
import { threadFile } from '../platform/thread-file.ts';
import { startQueryLog } from '../query-log/index.ts';
import type { Settings } from '../settings/settings.ts';
import { ringsFor } from './dns-threads.ts';
import { logOptions } from './store-options.ts';

/** Starts the thread of the query log. It may be used before it is ready; `ready` rejects if it cannot be opened. */
export function openQueryLog(settings: Settings, log: Logger, location = logOptions(settings)) {
  const { records, ready } = startQueryLog({
    log: location,
    thread: threadFile('app/query-log-thread'),
    rings: ringsFor(settings),
    companies: settings.companies,
    geoDatabases: settings.geoDatabase,
    onProblem: (problem: unknown): void => log.warn({ err: problem }, 'query log error'),
  });
  // Prevents an unhandled rejection, which would end the process, before the caller awaits `ready`.
  const isReady = ready.then(
    () => true,
    () => false,
  );
  return {
    records,
    ready,
    close: async (): Promise<void> => {
      if (await isReady) await records.stop();
    },
  };
}
