import type { LogStore } from '../log-store.ts';
import { type LogSurroundings, logOver, unpacked } from '../query-log.ts';
import { openPostgresShelf } from './postgres-backend.ts';

/** The query log in PostgreSQL; `url` as `postgres://user@host:5432/database`. */
export const openPostgresLog = async (url: string, surroundings: LogSurroundings): Promise<LogStore> =>
  unpacked(await logOver(await openPostgresShelf(url, surroundings.onProblem), surroundings));
