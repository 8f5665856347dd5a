import { type LogSurroundings, logOver, unpacked } from './log-over.ts';
import type { LogStore } from './log-store.ts';
import { openSqliteShelf } from './sqlite-shelf.ts';

/** The query log in files of a folder. It works in the thread that calls it; a service wants `logInThread`. */
export const openSqliteLog = async (folder: string, surroundings: LogSurroundings): Promise<LogStore> =>
  unpacked(await logOver(openSqliteShelf(folder, surroundings), surroundings));
