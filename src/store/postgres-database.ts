import { sql } from 'kysely';
import pg from 'pg';
import type { AccountId } from '../domain/ids.ts';
import { StoreError } from '../domain/store-error.ts';
import { sharesConnections } from '../postgres/check-pooling.ts';
import {
  isResponseTimeout,
  openPostgresPool,
  type PostgresPool,
  type PostgresTimeouts,
} from '../postgres/open-pool.ts';
import { builders, type Database, prepared, type Run, type Statement } from './database.ts';
import { type NoticeTimes, postgresNotices } from './postgres-notices.ts';
import { toStoreError } from './to-store-error.ts';

const MAX_TRIES = 10;
const MAX_CONNECTIONS = 10;

const accountLock = prepared<{ account: AccountId }>()((db, $) =>
  db.selectFrom('accounts').select('id').where('id', '=', $.account).forUpdate(),
);

export type PostgresLimits = { readonly timeouts?: Partial<PostgresTimeouts>; readonly notices?: Partial<NoticeTimes> };

/** A connection pool. Transactions of one account are serialised; those of different accounts run in parallel. */
export async function openPostgres(url: string, limits: PostgresLimits = {}): Promise<Database> {
  const pool = openPostgresPool({ url, maxConnections: MAX_CONNECTIONS, types, ...limits });
  await refuseSharedConnections(pool);
  const notices = postgresNotices(pool, limits.notices);
  const connect = () => pool.connect().catch(rethrown);

  const once = async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
    const client = await connect();
    try {
      await client.query('begin');
      const result = await work(runOn(pool, client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      await endAndRelease(pool, client, error);
      throw error;
    }
  };

  return {
    kind: 'postgres',
    isInPlace: () => true,
    async read(statement) {
      const client = await connect();
      try {
        const answer = await runOn(pool, client)(statement);
        client.release();
        return answer;
      } catch (error) {
        client.release(error as Error);
        throw toStoreError(error);
      }
    },
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
    announce: notices.announce,
    onForeignCommit: notices.listen,
    isLeader: notices.isLeader,
    async snapshot() {
      const client = await connect();
      const end = (error?: unknown) => endAndRelease(pool, client, error);
      try {
        await client.query('begin isolation level repeatable read read only');
      } catch (error) {
        await end(error);
        throw toStoreError(error);
      }
      return { run: runOn(pool, client), end: () => end() };
    },
    version: () => undefined,
    connections: pool.counts,
    erase: async () => {},
    limitWaits() {
      notices.stop();
      pool.limitWaits();
    },
    async close() {
      notices.stop();
      await pool.close();
    },
  };
}

async function refuseSharedConnections(pool: PostgresPool): Promise<void> {
  try {
    if (!(await sharesConnections(pool))) return;
  } catch (error) {
    await pool.close();
    throw toStoreError(error);
  }
  await pool.close();
  throw new StoreError(
    'unsupported',
    'the database URL leads to PgBouncer or another pooler in transaction or statement mode: use its session mode (pool_mode = session), or connect to PostgreSQL directly',
  );
}

/** Destroys a connection that cannot roll back. */
async function endAndRelease(pool: PostgresPool, client: pg.PoolClient, error: unknown): Promise<void> {
  if (isResponseTimeout(error)) pool.destroy(client);
  try {
    await client.query('rollback');
    client.release();
  } catch (fault) {
    client.release(fault as Error);
  }
}

const types = {
  // Times and counts are below 2^53, so numbers are exact.
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text'),
};

function runOn(pool: PostgresPool, client: pg.PoolClient): Run {
  return async <R>(statement: Statement<R>) => {
    try {
      const { rows, rowCount } = await client.query(toQuery(statement));
      return { rows: rows as R[], changes: rowCount ?? 0 };
    } catch (error) {
      if (isResponseTimeout(error)) {
        pool.destroy(client);
        pool.destroyIdle();
      }
      throw isSerializationFailure(error) ? error : toStoreError(error);
    }
  };
}

/** Statements with parameters are repeated: prepare them. */
const toQuery = ({ sql: text, parameters, maxMs }: Statement<unknown>): pg.QueryConfig => ({
  text,
  ...(parameters.length > 0 && { name: nameOf(text), values: [...parameters] }),
  ...(maxMs !== undefined && { query_timeout: maxMs }),
});

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
