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
} from 'kysely';
import type { AccountId } from '../domain/ids.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import type { Tables } from './tables.ts';

/** `rows` says of what kind the rows of its answer are; there is never anything in it. */
export type Statement<R> = { readonly sql: string; readonly parameters: readonly unknown[]; readonly rows?: R };
export type Answer<R> = { readonly rows: readonly R[]; readonly changes: number };
export type Run = <R>(statement: Statement<R>) => Promise<Answer<R>>;

export type Snapshot = { readonly run: Run; readonly end: () => Promise<void> };

/** What the two databases have in common. All that is asked of them is written once. */
export type Database = {
  readonly kind: DatabaseKind;
  /** Outside of transactions: sees what is committed. */
  readonly read: Run;
  /**
   * Writing. Commits when the work is done and takes everything back when it throws; may run it again if others were in the way.
   */
  readonly transaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  /** In a transaction: nobody else may read what is the account's in order to change it, until the transaction ends. */
  readonly lockAccount: (run: Run, account: AccountId) => Promise<void> | void;
  /** The same for whatever goes by this name and may not exist yet. */
  readonly lockName: (run: Run, name: string) => Promise<void> | void;
  /** In a transaction: other processes hear of it with the commit. */
  readonly announce: (run: Run, changed: ReadonlySet<AccountId>) => Promise<void> | void;
  /** Tells what other processes have changed, from when this is done. */
  readonly onForeignChange: (listener: (changed: ChangedAccounts) => void) => Promise<void> | void;
  /** False once the file of the database is deleted or replaced; what is read is then the last known. */
  readonly isInPlace: () => boolean;
  /** Reading as it was at one moment, until it ends. */
  readonly snapshot: () => Promise<Snapshot>;
  /** Overwrites the bytes of rows that were deleted. PostgreSQL does it by itself (VACUUM). */
  readonly erase: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type DatabaseKind = 'sqlite' | 'postgres';

// Writes statements only; running them is ours, so that each is prepared once and a read costs microseconds.
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

class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A query whose text is made once for each database. */
export type Prepared<P, R> = (kind: DatabaseKind, values: P) => Statement<R>;

/** `$.name` in the query is the place of the value `name`. */
export const prepared =
  <P extends Readonly<Record<string, unknown>>>() =>
  <R>(build: (db: Builder, $: P) => Compilable<R>): Prepared<P, R> => {
    const places = new Proxy({} as P, { get: (_, name) => new Place(String(name)) });
    const texts: Partial<Record<DatabaseKind, Statement<R>>> = {};
    return (kind, values) => {
      texts[kind] ??= build(builders[kind], places).compile();
      const { sql, parameters } = texts[kind];
      return { sql, parameters: parameters.map((value) => (value instanceof Place ? values[value.name] : value)) };
    };
  };
