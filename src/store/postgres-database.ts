import { sql } from 'kysely';
import pg from 'pg';
import type { AccountId } from '../domain/ids.ts';
import { builders, type Database, prepared, type Run, type Statement } from './database.ts';
import { listenToOthers } from './postgres-notices.ts';
import { toStoreError } from './to-store-error.ts';

const MAX_TRIES = 10;

const accountLock = prepared<{ account: AccountId }>()((db, $) =>
  db.selectFrom('accounts').select('id').where('id', '=', $.account).forUpdate(),
);

/** A connection pool. Transactions of one account are serialised; those of different accounts run in parallel. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({ ...settings, connectionString: url, max: 10 });
  // The pool replaces lost idle connections; a failed replacement rejects the query that needs it.
  pool.on('error', () => {});
  // A connection that is lost between two statements of a transaction emits an error; the next statement fails with it.
  pool.on('connect', (client) => client.on('error', () => {}));
  const notices = listenToOthers(() => new pg.Client({ ...settings, connectionString: url }));
  const connect = () => pool.connect().catch(rethrown);

  const once = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
    const client = await connect();
    try {
      await client.query('begin');
      const result = await work(runOn(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      await endAndRelease(client);
      throw error;
    }
  };

  return {
    kind: 'postgres',
    isInPlace: () => true,
    read: runOn(pool),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await once(work);
        } catch (error) {
          if (!isSerializationFailure(error) || tries === MAX_TRIES) throw toStoreError(error);
        }
      }
    },
    async lockAccount(run, account) {
      await run(accountLock('postgres', { account }));
    },
    async lockName(run, name) {
      await run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.compile(builders.postgres));
    },
    announce: (run, changed) => notices.announce(run, changed),
    onForeignChange: (listener) => notices.listen(listener),
    async snapshot() {
      const client = await connect();
      const end = () => endAndRelease(client);
      try {
        await client.query('begin isolation level repeatable read read only');
      } catch (error) {
        await end();
        throw toStoreError(error);
      }
      return { run: runOn(client), end };
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    erase: async () => {},
    async close() {
      await notices.stop();
      await pool.end();
    },
  };
}

/** Destroys a connection that cannot roll back. */
const endAndRelease = (client: pg.PoolClient): Promise<void> =>
  client.query('rollback').then(
    () => client.release(),
    (fault: Error) => client.release(fault),
  );

const settings = {
  connectionTimeoutMillis: 5000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
  application_name: 'weir',
  types: {
    // Times and counts are below 2^53, so numbers are exact.
    getTypeParser: (type: number, format?: 'text' | 'binary') =>
      type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text'),
  },
} as const;

function runOn(client: pg.Pool | pg.PoolClient): Run {
  return async <R>(statement: Statement<R>) => {
    try {
      const { rows, rowCount } = await client.query(toQuery(statement));
      return { rows: rows as R[], changes: rowCount ?? 0 };
    } catch (error) {
      throw isSerializationFailure(error) ? error : toStoreError(error);
    }
  };
}

/** Statements with parameters are repeated: prepare them. */
const toQuery = ({ sql: text, parameters }: Statement<unknown>): pg.QueryConfig =>
  parameters.length === 0 ? { text } : { name: nameOf(text), text, values: [...parameters] };

const names = new Map<string, string>();

/** The server caches prepared statements by name. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `weir_${names.size}`;
  names.set(text, name);
  return name;
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: serialization_failure, deadlock_detected.
const isSerializationFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');

const rethrown = (error: unknown): never => {
  throw toStoreError(error);
};
