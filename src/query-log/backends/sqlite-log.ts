import type { LogStore } from '../log-store.ts';
import { type LogSurroundings, logOver, unpacked } from '../query-log.ts';
import { openSqliteShelf } from './sqlite-backend.ts';

/** The query log in files of a folder. It works in the thread that calls it; a service wants `logInThread`. */
export const openSqliteLog = async (folder: string, surroundings: LogSurroundings): Promise<LogStore> =>
  unpacked(await logOver(openSqliteShelf(folder, surroundings), surroundings));
