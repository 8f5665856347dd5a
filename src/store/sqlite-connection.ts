import { chmodSync, closeSync, existsSync, fchownSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Answer, Run, Statement } from './database.ts';
import { toStoreError, withStoreErrors } from './to-store-error.ts';

export type SqliteConnection = {
  readonly run: Run;
  /** For statements without values and answers. */
  exec(sql: string): void;
  /** The one value that it gives, as most pragmas do. */
  text(sql: string): string;
  close(): void;
};

type SqliteValue = string | number | null;
type Known = { readonly statement: StatementSync; readonly columns: readonly string[] };

/** A connection whose statements are prepared once. Everything is over when the call returns: SQLite waits for nobody. */
export function sqliteConnection(path: string): SqliteConnection {
  const database = withStoreErrors(() => open(path));
  const statements = new Map<string, Known>();

  const prepare = (sql: string): Known => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    // Rows as lists and their names from here take two thirds of the time that objects of the driver's take.
    statement.setReturnArrays(true);
    const made = { statement, columns: statement.columns().map(({ name }) => name) };
    // Listings are asked in a bounded number of forms; statements that change the schema are not asked twice.
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

  return {
    // Async, so that a fault is a rejection here as it is with the other database.
    run: async (statement) => {
      try {
        return runNow(statement);
      } catch (error) {
        throw toStoreError(error);
      }
    },
    exec: (sql) => withStoreErrors(() => database.exec(sql)),
    text: (sql) => withStoreErrors(() => String(Object.values(database.prepare(sql).get() ?? {})[0])),
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
 * For its owner only; so is every file that SQLite puts beside it, which takes its mode from it. A file that exists must not be
 * opened and closed by anybody but SQLite: with any closing the system takes back all locks that this process has on it.
 */
function open(path: string): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  else create(path);
  return new DatabaseSync(path);
}

/** A command that root runs creates files for the user of the service, to whom the folder belongs. SQLite does so for the files beside. */
function create(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const { uid, gid } = statSync(dirname(path));
    if (process.getuid?.() === 0 && uid !== 0) fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}
