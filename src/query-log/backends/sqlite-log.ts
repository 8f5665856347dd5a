import type { LogStore } from '../log-store.ts';
import { type LogEnvironment, openLogEngine, toLogStore } from '../query-log.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

/** The query log in files of a folder. It works in the thread that calls it; a service wants `logInThread`. */
export const openSqliteLog = async (folder: string, environment: LogEnvironment): Promise<LogStore> =>
  toLogStore(await openLogEngine(openSqliteBackend(folder, environment), environment));
