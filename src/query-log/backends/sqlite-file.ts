import { closeSync, fchmodSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LogError } from '../log-store.ts';
import { checkFormat, FORMAT } from './log-backend.ts';

type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SqlList = readonly SqlValue[];

/** A SQLite file of the log. All calls are synchronous. */
export type SqliteFile = {
  readonly path: string;
  readonly run: (sql: string, ...values: SqlValue[]) => void;
  readonly get: (sql: string, ...values: SqlValue[]) => SqlRow | undefined;
  readonly all: (sql: string, ...values: SqlValue[]) => SqlRow[];
  /** Rows as arrays, which is cheaper for many rows. */
  readonly lists: (sql: string, ...values: SqlValue[]) => SqlList[];
  readonly iterateLists: (sql: string, ...values: SqlValue[]) => Generator<SqlList>;
  readonly close: () => void;
};

/** SQLite reports the file as corrupt; it must not be used any more. */
export class CorruptFile extends Error {
  override readonly name = 'CorruptFile';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`${path} is corrupt`, { cause });
    this.path = path;
  }
}

// Primary result codes, see https://www.sqlite.org/rescode.html
const FULL = 13;
const damaged = [11, 26];
const unavailable = [3, 5, 6, 8, 10, 14, 23];

function toLogError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const code = error.errcode & 0xff;
  if (damaged.includes(code)) return new CorruptFile(path, error);
  if (code === FULL) return new LogError('disk full', error);
  return unavailable.includes(code) ? new LogError('unavailable', error) : error;
}

// synchronous=NORMAL: a power failure may lose the last batch, but not every commit waits for the disk.
const pragmas = (busyMs: number): string => `
  PRAGMA page_size = 8192;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA secure_delete = ON;
  PRAGMA busy_timeout = ${busyMs};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -4096;
  PRAGMA temp_store = MEMORY;
`;

/** Statements that create the tables, and those that upgrade a file of an earlier format. */
export type FileSchema = { readonly create: string; readonly upgradeFrom: (format: number) => string };

/** `busyMs`: how long to wait for another process that writes to the file. */
export function openSqliteFile(path: string, schema: FileSchema, busyMs = 5000): SqliteFile {
  const named = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toLogError(error, path);
    }
  };
  makePrivate(path);
  const database = named(() => new DatabaseSync(path));
  try {
    named(() => {
      const format = formatOf(database);
      database.exec(pragmas(busyMs));
      createTables(database, schema, format);
    });
  } catch (error) {
    database.close();
    throw error;
  }
  const prepared = preparedOnce((sql) => database.prepare(sql));
  const preparedForLists = preparedOnce((sql) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  });
  return {
    path,
    run: (sql, ...values) => named(() => void prepared(sql).run(...values)),
    get: (sql, ...values) => named(() => prepared(sql).get(...values) as SqlRow | undefined),
    all: (sql, ...values) => named(() => prepared(sql).all(...values) as SqlRow[]),
    lists: (sql, ...values) => named(() => preparedForLists(sql).all(...values) as unknown as SqlList[]),
    *iterateLists(sql, ...values) {
      try {
        yield* preparedForLists(sql).iterate(...values) as Iterable<unknown> as Iterable<SqlList>;
      } catch (error) {
        throw toLogError(error, path);
      }
    },
    close: () => database.close(),
  };
}

function preparedOnce(prepare: (sql: string) => StatementSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

/** The format of a file; undefined for a new one. Throws without changing the file if this version cannot read it. */
function formatOf(database: DatabaseSync): number | undefined {
  if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return undefined;
  const format = database.prepare('PRAGMA user_version').get()!['user_version'] as number;
  checkFormat(format);
  return format;
}

function createTables(database: DatabaseSync, { create, upgradeFrom }: FileSchema, format: number | undefined): void {
  // Opening a file of the current format writes nothing, so it also works while the disk is full.
  if (format === FORMAT) database.exec(create);
  else
    database.exec(
      `BEGIN IMMEDIATE; ${create}; ${format === undefined ? '' : upgradeFrom(format)}; PRAGMA user_version = ${FORMAT}; COMMIT`,
    );
}

/** Query logs are private: mode 0600. SQLite creates -wal and -shm with the mode of the file. */
function makePrivate(path: string): void {
  try {
    const file = openSync(path, 'a', 0o600);
    try {
      fchmodSync(file, 0o600);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new LogError(isFull ? 'disk full' : 'unavailable', error);
  }
}

const companions = ['-wal', '-shm'];

export function removeSqliteFile(path: string): void {
  for (const ending of ['', ...companions]) rmSync(path + ending, { force: true });
}

/** Renames a corrupt file so that it can be inspected; returns the new path. */
export function setAside(path: string, now: number): string {
  const aside = `${path}.corrupt-${now}`;
  renameSync(path, aside);
  for (const ending of companions) rmSync(path + ending, { force: true });
  return aside;
}
