import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../kit/durations.ts';
import { MAX_PAGES } from '../segments/index-pages.ts';
import { segmentParts } from '../segments/segment.ts';
import { isOutdatedSql } from './log-backend.ts';
import {
  CorruptFile,
  type FileSchema,
  openSqliteFile,
  removeSqliteFile,
  type SqliteFile,
  setAside,
} from './sqlite-file.ts';

const WEEK_MS = 7 * DAY_MS;
const MAX_OPEN = 16;

const rollupsSchema = `
  CREATE TABLE IF NOT EXISTS tallies (
    account TEXT NOT NULL,
    unit TEXT NOT NULL,
    start INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    queries INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (account, unit, start)
  );
`;

// SQLite reads a row from its first column on, so data that is read alone is in the table `pieces`, keyed by segment
// and page number. Segments of earlier formats are listed in old_segments until they are rewritten.
const weekTables = `
  CREATE TABLE IF NOT EXISTS blocks (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    level INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    oldest INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    row_count INTEGER NOT NULL,
    fresh BLOB,
    ${segmentParts.map((part) => `${part} BLOB`).join(', ')}
  );
  CREATE TABLE IF NOT EXISTS pieces (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
  CREATE TRIGGER IF NOT EXISTS pieces_go_with_their_block AFTER DELETE ON blocks WHEN OLD.fresh IS NULL
    BEGIN DELETE FROM pieces WHERE id BETWEEN OLD.id * ${MAX_PAGES} AND OLD.id * ${MAX_PAGES} + ${MAX_PAGES - 1}; END;
  CREATE INDEX IF NOT EXISTS blocks_counted ON blocks (account, newest, oldest, level, batch, row_count) WHERE level > 0;
  CREATE INDEX IF NOT EXISTS blocks_fresh ON blocks (account, batch) WHERE level = 0;
  CREATE TABLE IF NOT EXISTS old_segments (id INTEGER PRIMARY KEY, format INTEGER NOT NULL);
  CREATE TRIGGER IF NOT EXISTS old_segments_deleted AFTER DELETE ON blocks
    BEGIN DELETE FROM old_segments WHERE id = OLD.id; END;
  ${rollupsSchema}
`;
const weekSchema: FileSchema = {
  create: weekTables,
  upgradeFrom: (format) =>
    `INSERT INTO old_segments (id, format) SELECT id, ${format} FROM blocks WHERE ${isOutdatedSql[format]}`,
};

const statisticsTables = `
  ${rollupsSchema}
  CREATE INDEX IF NOT EXISTS tallies_by_age ON tallies (unit, start);
  CREATE TABLE IF NOT EXISTS counted (account TEXT PRIMARY KEY, batch INTEGER NOT NULL);
`;
// Rollups are the same in all formats.
const statisticsSchema: FileSchema = { create: statisticsTables, upgradeFrom: () => '' };

/** The files of a log: one for rollups and one per week of rows, so expired rows are deleted as a file. */
export type SqliteFiles = {
  readonly statistics: () => SqliteFile;
  /** The file for rows of that time; created if missing. */
  readonly weekFile: (time: number) => SqliteFile;
  /** Start times of weeks that have a file, newest first. */
  readonly weeks: () => readonly number[];
  readonly removeWeek: (week: number) => void;
  readonly setAside: (damaged: CorruptFile) => void;
  /** Renamed corrupt files. */
  readonly damaged: () => readonly { readonly path: string; readonly since: number }[];
  /** Closes files beyond the limit of open ones. */
  readonly closeSome: () => void;
  readonly close: () => void;
};

export const isWeekFile = ({ path }: SqliteFile): boolean => !path.endsWith('statistics.db');
export const weekOf = (time: number): number => Math.floor(time / WEEK_MS) * WEEK_MS;
export const weekEnd = (week: number): number => week + WEEK_MS - 1;

type Environment = {
  readonly now: () => number;
  readonly onProblem: (problem: unknown) => void;
  readonly busyMs?: number | undefined;
};

/** `mayClose`: false while a transaction uses the file. */
export function openSqliteFiles(
  folder: string,
  mayClose: (file: SqliteFile) => boolean,
  { now, onProblem, busyMs }: Environment,
): SqliteFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  // In order of last use.
  const open = new Map<string, SqliteFile>();
  let latest = '';
  const weeks = new Set(
    readdirSync(folder).flatMap((name) => {
      const day = /^log-(.+)\.db$/.exec(name)?.[1];
      const week = day === undefined ? Number.NaN : Date.parse(day);
      return Number.isNaN(week) ? [] : [week];
    }),
  );
  const paths = new Map<number, string>();
  const pathOf = (week: number): string => {
    const path = paths.get(week) ?? join(folder, `log-${new Date(week).toISOString().slice(0, -14)}.db`);
    paths.set(week, path);
    return path;
  };
  const statisticsPath = join(folder, 'statistics.db');

  const moveAside = (path: string): void => {
    open.get(path)?.close();
    open.delete(path);
    const aside = setAside(path, now());
    onProblem(new Error(`a query log file is corrupt; it was renamed to ${aside} and a new file was created`));
  };
  const closeDownTo = (count: number): void => {
    for (const [old, file] of open) {
      if (open.size <= count) break;
      if (!mayClose(file)) continue;
      file.close();
      open.delete(old);
    }
  };
  const opened = (path: string, schema: FileSchema): SqliteFile => {
    const cached = open.get(path);
    if (cached) {
      if (path !== latest) {
        open.delete(path);
        open.set(path, cached);
        latest = path;
      }
      return cached;
    }
    closeDownTo(MAX_OPEN - 1);
    const file = openOrReplace(
      () => openSqliteFile(path, schema, busyMs),
      () => moveAside(path),
    );
    open.set(path, file);
    latest = path;
    return file;
  };

  return {
    statistics: () => opened(statisticsPath, statisticsSchema),
    weekFile(time) {
      const week = weekOf(time);
      const file = opened(pathOf(week), weekSchema);
      weeks.add(week);
      return file;
    },
    weeks: () => [...weeks].sort((one, other) => other - one),
    removeWeek(week) {
      const path = pathOf(week);
      open.get(path)?.close();
      open.delete(path);
      weeks.delete(week);
      removeSqliteFile(path);
    },
    setAside: ({ path }) => moveAside(path),
    damaged: () =>
      readdirSync(folder).flatMap((name) => {
        const since = /\.db\.corrupt-(\d+)$/.exec(name)?.[1];
        return since === undefined ? [] : [{ path: join(folder, name), since: Number(since) }];
      }),
    closeSome: () => closeDownTo(MAX_OPEN),
    close() {
      for (const file of open.values()) file.close();
      open.clear();
    },
  };
}

function openOrReplace(open: () => SqliteFile, moveAside: () => void): SqliteFile {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CorruptFile)) throw error;
    moveAside();
    return open();
  }
}
