import {
  type Compilable,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { AccountId } from '../domain/ids.ts';
import type { Tables } from './tables.ts';

/** `rows` only carries the type of the rows; it is never set. */
export type Statement<R> = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly rows?: R;
  /** Time to wait for the server, if it is not the usual one. */
  readonly maxMs?: number;
};
export type Answer<R> = { readonly rows: readonly R[]; readonly changes: number };
export type Run = <R>(statement: Statement<R>) => Promise<Answer<R>>;

export type Snapshot = { readonly run: Run; readonly end: () => Promise<void> };

/** Different nodes may do them: only nodes with DNS or edges download filter lists. */
export type LeaderWork = 'regular work' | 'filter lists';

/** Common interface of both databases, so that each query is written once. */
export type Database = {
  readonly kind: DatabaseKind;
  /** Outside of transactions; sees committed data. */
  readonly read: Run;
  /** Commits when the work is done and rolls back when it throws. May run the work again after a serialization failure. */
  readonly transaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  /** In a transaction: locks the account until the transaction ends. */
  readonly lockAccount: (run: Run, account: AccountId) => Promise<void> | void;
  /** Locks a name that may not exist as a row yet. */
  readonly lockName: (run: Run, name: string) => Promise<void> | void;
  /** In a transaction, before it stores its revisions: other processes commit theirs before or after, and are notified. */
  readonly announce: (run: Run) => Promise<void> | void;
  /** Calls the listener when another process may have committed. A call may be missed. */
  readonly onForeignCommit: (listener: () => void) => Promise<void> | void;
  /** Whether this process does the work that only one of the processes on a database needs to do; by default the regular work, such as retention. */
  readonly isLeader: (work?: LeaderWork) => Promise<boolean>;
  /** False once the database file is deleted or replaced; reads then return the last known data. */
  readonly isInPlace: () => boolean;
  /** A consistent read view until it is closed. */
  readonly snapshot: () => Promise<Snapshot>;
  /** Overwrites deleted rows on disk. PostgreSQL does this itself (VACUUM). */
  readonly erase: () => Promise<void>;
  /** Changes with every commit, with those of other processes within 10 ms; undefined if the server would have to be asked. */
  readonly version: () => number | undefined;
  /** Connections of the pool, and statements that wait for one; undefined without a pool. */
  readonly connections: () => PoolState | undefined;
  /** To be called before the end: from now on no statement waits long for a server that does not answer, and this process leads no work. */
  readonly limitWaits: () => void;
  readonly close: () => Promise<void>;
};

type PoolState = { readonly open: number; readonly idle: number; readonly waiting: number };

export type DatabaseKind = 'sqlite' | 'postgres';

// Kysely only builds statements; we run them, so that each is prepared once and a read takes microseconds.
const dialects: Readonly<Record<DatabaseKind, Dialect>> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};

export type Builder = Kysely<Tables>;

export const builders: Readonly<Record<DatabaseKind, Builder>> = {
  sqlite: new Kysely<Tables>({ dialect: dialects.sqlite }),
  postgres: new Kysely<Tables>({ dialect: dialects.postgres }),
};

/** A limit in the SQL: with a parameter as limit, SQLite prepares the statement again for each run. */
export const one = sql.lit(1);

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A query whose SQL is built once per database. */
export type Prepared<P, R> = (kind: DatabaseKind, values: P) => Statement<R>;

/** `$.name` is the placeholder of the value `name`. */
export const prepared =
  <P extends Readonly<Record<string, unknown>>>() =>
  <R>(build: (db: Builder, $: P) => Compilable<R>): Prepared<P, R> => {
    const placeholders = new Proxy({} as P, { get: (_, name) => new Placeholder(String(name)) });
    const texts: Partial<Record<DatabaseKind, Statement<R>>> = {};
    return (kind, values) => {
      texts[kind] ??= build(builders[kind], placeholders).compile();
      const { sql: text, parameters } = texts[kind];
      return {
        sql: text,
        parameters: parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value)),
      };
    };
  };
