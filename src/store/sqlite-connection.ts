import { chmodSync, closeSync, existsSync, fchownSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreError } from '../domain/store-error.ts';
import type { Answer, Run, Statement } from './database.ts';
import { toStoreError, withStoreErrors } from './to-store-error.ts';

export type SqliteConnection = {
  readonly run: Run;
  /** For statements without parameters and results. */
  exec(sql: string): void;
  /** Returns a single value, for example of a pragma. */
  text(sql: string): string;
  /** Changes with every commit of another connection. */
  version(): number;
  close(): void;
};

type SqliteValue = string | number | null;
type Known = { readonly statement: StatementSync; readonly columns: readonly string[] };

/** A connection with cached prepared statements. All calls are synchronous. `onCorrupt`: a statement has found damage. */
export function sqliteConnection(path: string, onCorrupt: () => void = () => {}): SqliteConnection {
  const database = withStoreErrors(() => open(path));
  const statements = new Map<string, Known>();

  const prepare = (sql: string): Known => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = database.prepare(sql);
    // Reading rows as arrays takes two thirds of the time of the driver's objects.
    statement.setReturnArrays(true);
    const made = { statement, columns: statement.columns().map(({ name }) => name) };
    // Lists have a bounded number of statements; schema changes are not repeated.
    if (!/^(create|drop|alter)/i.test(sql)) statements.set(sql, made);
    return made;
  };

  const runNow = <R>({ sql, parameters }: Statement<R>): Answer<R> => {
    const { statement, columns } = prepare(sql);
    const values = parameters as readonly SqliteValue[];
    if (columns.length === 0) return { rows: [], changes: Number(statement.run(...values).changes) };
    const rows = (statement.all(...values) as unknown as SqliteValue[][]).map((row) => named(columns, row) as R);
    return { rows, changes: rows.length };
  };

  const dataVersion = withStoreErrors(() => database.prepare('pragma data_version'));
  dataVersion.setReturnArrays(true);

  return {
    // Async, so that an error rejects as with PostgreSQL.
    run: async (statement) => {
      try {
        return runNow(statement);
      } catch (error) {
        const failure = toStoreError(error);
        if (failure instanceof StoreError && failure.kind === 'corrupt') onCorrupt();
        throw failure;
      }
    },
    exec: (sql) => withStoreErrors(() => database.exec(sql)),
    text: (sql) => withStoreErrors(() => String(Object.values(database.prepare(sql).get() ?? {})[0])),
    version: () => withStoreErrors(() => Number((dataVersion.get() as unknown as readonly SqliteValue[])[0])),
    close() {
      statements.clear();
      database.close();
    },
  };
}

function named(columns: readonly string[], values: readonly SqliteValue[]): Record<string, SqliteValue> {
  const row: Record<string, SqliteValue> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index]!;
  return row;
}

/**
 * Readable only by the owner; SQLite gives its other files the same mode. Only SQLite may open and close an existing
 * file: any close() releases all POSIX locks of this process on it.
 */
function open(path: string): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  else create(path);
  return new DatabaseSync(path);
}

/** A command run by root creates files for the owner of the folder. SQLite does the same for its other files. */
function create(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const { uid, gid } = statSync(dirname(path));
    if (process.getuid?.() === 0 && uid !== 0) fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}
