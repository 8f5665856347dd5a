import type { LogStore } from '../log-store.ts';
import { type LogEnvironment, openLogEngine, toLogStore } from '../query-log.ts';
import { openPostgresBackend } from './postgres-backend.ts';

/** The query log in PostgreSQL; `url` as `postgres://user@host:5432/database`. */
export const openPostgresLog = async (url: string, environment: LogEnvironment): Promise<LogStore> =>
  toLogStore(await openLogEngine(await openPostgresBackend(url, environment.onProblem), environment));
