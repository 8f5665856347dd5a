import { logInThread } from './backends/log-in-thread.ts';
import type { LogLocation } from './ingest/ingest-setup.ts';
import { toLogStore } from './log-engine.ts';
import type { LogStore } from './log-store.ts';
import type { LogEnvironment } from './query-log.ts';

type Environment = Partial<LogEnvironment> &
  Pick<LogEnvironment, 'onProblem'> & {
    /** Opens a log in files in a thread of its own. */
    readonly inThread?: boolean;
  };

/** Opens the log in files or in PostgreSQL, without the thread that ingests records of a DNS server. */
export async function openLog(location: LogLocation, { inThread = false, ...given }: Environment): Promise<LogStore> {
  if (inThread && 'folder' in location) return logInThread(location.folder, given.onProblem);
  const { openEngine } = await import('./open-engine.ts');
  return toLogStore(await openEngine(location, { now: Date.now, ...given }));
}
