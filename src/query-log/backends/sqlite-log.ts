import type { LogStore } from '../log-store.ts';
import { type LogEnvironment, openLogEngine, toLogStore } from '../query-log.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

/** The query log in a folder, in the calling thread. A service uses `logInThread`. */
export const openSqliteLog = async (folder: string, environment: LogEnvironment): Promise<LogStore> =>
  toLogStore(await openLogEngine(openSqliteBackend(folder, environment), environment));
