import pg, { type PoolClient } from 'pg';
import { DAY_MS } from '../../kit/durations.ts';
import { keyedMutex } from '../../kit/keyed-mutex.ts';
import { isResponseTimeout, openPostgresPool } from '../../postgres/open-pool.ts';
import { LogError } from '../log-store.ts';
import { LARGE_ROWS, segmentParts } from '../segments/segment.ts';
import { bucketOf, type SharedRows } from '../segments/shared-rows.ts';
import {
  checkFormat,
  FORMAT,
  isOutdatedSql,
  KEEP_RECEIVED_MS,
  type LogBackend,
  type NewShared,
  type WriteTransaction,
  ZONE_MAP_UNIT,
} from './log-backend.ts';
import { appendSegments, insertSegments } from './postgres-segments.ts';
import {
  compressByLz4,
  dueBuckets,
  insertShared,
  isOneStatement,
  sharedSchema,
  unshareBucket,
} from './postgres-shared.ts';
import { META, metaOf, type SqlRow, viewOf } from './postgres-view.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 3000;
/** Format 5 is format 4 with the table of shared batches. */
export const POSTGRES_FORMAT = 5;
// Lock numbers that no other part of the program uses.
const LOCKS = 0x57_4c_4f_47;
const BATCH_LOCKS = LOCKS + 1;
/** Batch numbers that a node reserves at once. They stay below 2^41: see `MAX_BATCH_ROWS`. */
const RESERVED_BATCHES = 2 ** 20;

const schema = `
  CREATE SEQUENCE IF NOT EXISTS log_batches;
  CREATE TABLE IF NOT EXISTS log_blocks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account text NOT NULL,
    level smallint NOT NULL,
    batch bigint NOT NULL,
    oldest bigint NOT NULL,
    newest bigint NOT NULL,
    row_count integer NOT NULL,
    fresh bytea,
    ${segmentParts.map((part) => `${part} bytea`).join(', ')}
  );
  CREATE TABLE IF NOT EXISTS log_pieces (
    block bigint NOT NULL REFERENCES log_blocks ON DELETE CASCADE,
    number smallint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (block, number)
  );
  CREATE TABLE IF NOT EXISTS log_old_segments (
    id bigint PRIMARY KEY REFERENCES log_blocks ON DELETE CASCADE,
    format smallint NOT NULL
  );
  CREATE INDEX IF NOT EXISTS log_blocks_by_time ON log_blocks (account, newest, id);
  CREATE INDEX IF NOT EXISTS log_blocks_fresh ON log_blocks (account, batch) WHERE level = 0;
  CREATE TABLE IF NOT EXISTS log_tallies (
    account text NOT NULL,
    unit text NOT NULL,
    start bigint NOT NULL,
    batch bigint NOT NULL,
    queries bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (account, unit, start)
  );
  CREATE INDEX IF NOT EXISTS log_tallies_by_age ON log_tallies (unit, start);
  ${sharedSchema}
`;

/** Not part of the format: earlier versions store without it. */
const receivedSchema = `
  CREATE TABLE IF NOT EXISTS log_received (id text PRIMARY KEY, stored_at bigint NOT NULL);
  CREATE INDEX IF NOT EXISTS log_received_by_age ON log_received (stored_at);
`;

/** Encoded segments that stay as they are when they are flushed. */
const IS_LARGE = `fresh IS NULL AND row_count >= ${LARGE_ROWS}`;
// Times and counts are far below 2^53, so numbers are exact. Sums are NUMERIC.
const exact: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
const numbers = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    exact.includes(type) ? Number : pg.types.getTypeParser(type, format as 'text'),
};

/** Stores the log in PostgreSQL, shared by all nodes. */
export async function openPostgresBackend(url: string, onProblem: (problem: unknown) => void): Promise<LogBackend> {
  const pool = openPostgresPool({
    url,
    maxConnections: MAX_CONNECTIONS,
    timeouts: { connectMs: CONNECT_MS },
    types: numbers,
    onLost: onProblem,
  });
  const turn = keyedMutex();

  /** `begin`: undefined for work of one statement. */
  const transact = async <T>(begin: string | undefined, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw toLogError(error);
    });
    let failure: unknown;
    try {
      if (begin !== undefined) await client.query(begin);
      const result = await work(client);
      if (begin !== undefined) await client.query('COMMIT');
      return result;
    } catch (error) {
      failure = error;
      if (isResponseTimeout(error)) pool.destroyIdle();
      else await client.query('ROLLBACK').catch(onProblem);
      throw toLogError(error);
    } finally {
      // A failed connection may be in any state: discard it.
      client.release(failure !== undefined);
    }
  };
  await transact('BEGIN', async (client) => {
    // Serializes nodes that start at the same time.
    await client.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS]);
    await createTables(client);
    await compressByLz4(client);
    await client.query(receivedSchema);
  });
  const batches = createBatchNumbers(() =>
    transact('BEGIN', async (client) => {
      // Without the lock, the blocks of two nodes could overlap.
      await client.query('SELECT pg_advisory_xact_lock($1, 0)', [BATCH_LOCKS]);
      const sql = "SELECT setval('log_batches', nextval('log_batches') + $1 - 1) - $1 + 1 AS first";
      return (await client.query(sql, [RESERVED_BATCHES])).rows[0]['first'] as number;
    }),
  );
  const query = (sql: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> =>
    transact('BEGIN READ ONLY', async (client) => (await client.query(sql, [...values])).rows);

  return {
    read: (work) => transact('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (client) => work(viewOf(client))),
    // Serialized, so `clear` also deletes rows appended before it.
    change: (accounts, work) =>
      turn('changes', () =>
        transact('BEGIN', async (client) => {
          // Sorted, so two nodes cannot deadlock.
          for (const account of accounts.toSorted())
            await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LOCKS, account]);
          return work(changeOf(client, batches, onProblem));
        }),
      ),
    async accounts() {
      return (
        await query(
          'SELECT account FROM log_blocks UNION SELECT account FROM log_tallies UNION SELECT unnest(accounts) FROM log_shared',
        )
      ).map(({ account }) => account as string);
    },
    async unflushedByAccount() {
      const rows = await query(`SELECT account, count(*) AS blocks, min(oldest) AS oldest,
        coalesce(sum(row_count) FILTER (WHERE NOT (${IS_LARGE})), 0) AS row_count,
        coalesce(sum(row_count) FILTER (WHERE ${IS_LARGE}), 0) AS encoded
        FROM log_blocks WHERE level = 0 GROUP BY account`);
      return rows.map((row) => ({
        account: row['account'] as string,
        segments: row['blocks'] as number,
        rows: row['row_count'] as number,
        encodedRows: row['encoded'] as number,
        first: row['oldest'] as number,
      }));
    },
    // PostgreSQL reuses the space of deleted rows (VACUUM); there are no files to erase.
    removeDamaged: async () => {},
    erase: async () => {},
    expire: (cutoffs, rollups) =>
      transact('BEGIN', async (client) => {
        await client.query(
          `DELETE FROM log_blocks USING unnest($1::text[], $2::float8[]) AS kept (of_account, cutoff)
           WHERE account = of_account AND newest < cutoff AND level > 0`,
          [[...cutoffs.keys()], [...cutoffs.values()]],
        );
        await client.query(
          `DELETE FROM log_tallies USING unnest($1::text[], $2::float8[]) AS kept (of_account, cutoff)
           WHERE account = of_account AND unit = '${ZONE_MAP_UNIT}' AND start <= cutoff - $3::float8`,
          [[...cutoffs.keys()], [...cutoffs.values()], DAY_MS],
        );
        for (const [unit, before] of Object.entries(rollups))
          await client.query('DELETE FROM log_tallies WHERE unit = $1 AND start < $2', [unit, Math.floor(before)]);
      }),
    async outdated(limit) {
      const sql = `SELECT ${META}, account FROM log_blocks WHERE id IN (SELECT id FROM log_old_segments) LIMIT $1`;
      return (await query(sql, [limit])).map((row) => ({ meta: metaOf(row), account: row['account'] as string }));
    },
    outdatedCount: async () => (await query('SELECT count(*) AS count FROM log_old_segments'))[0]!['count'] as number,
    finishUpgrade: async () => {
      // The index of formats 2 and 3.
      await transact('BEGIN', (client) => client.query('DROP TABLE IF EXISTS log_few'));
    },
    sharing: {
      append: (shared) =>
        turn('changes', async () => {
          const rows = await numbered(shared, batches);
          return transact(isOneStatement(rows) ? undefined : 'BEGIN', (client) => insertShared(queryOf(client), rows));
        }),
      async unshare(due) {
        let isMoved = false;
        const isPatient = 'before' in due;
        const buckets = await transact('BEGIN READ ONLY', (client) => dueBuckets(queryOf(client), due));
        for (const bucket of buckets)
          isMoved =
            (await transact('BEGIN', (client) => unshareBucket(client, bucket, { isPatient, onProblem }))) || isMoved;
        return isMoved;
      },
    },
    close: pool.close,
  };
}

/** Creates missing tables and lists segments of earlier formats. Tables that this version cannot read stay unchanged. */
async function createTables(client: PoolClient): Promise<void> {
  const sql = `SELECT obj_description(oid, 'pg_class') AS note, to_regclass('log_old_segments') AS old_segments
    FROM pg_class WHERE oid = to_regclass('log_blocks')`;
  const [table] = (await client.query(sql)).rows as readonly SqlRow[];
  const format = table ? Number(/^format (\d+)$/.exec(String(table['note']))?.[1]) : POSTGRES_FORMAT;
  checkFormat(format, POSTGRES_FORMAT);
  if (table?.['old_segments'] && format === POSTGRES_FORMAT) return;
  await client.query(schema);
  if (format < FORMAT)
    await client.query(`INSERT INTO log_old_segments (id, format)
      SELECT id, ${format} FROM log_blocks WHERE ${isOutdatedSql[format]}`);
  await client.query(`COMMENT ON TABLE log_blocks IS 'format ${POSTGRES_FORMAT}'`);
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
function toLogError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof LogError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === '53100') return new LogError('disk full', error);
  const isOurs = /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57|58|25006)/.test(code);
  return isOurs || code === '' ? closedOr(error) : new LogError('unavailable', error);
}

const closedOr = (error: Error): Error =>
  /Cannot use a pool after calling end/.test(error.message)
    ? new LogError('closed', error)
    : /timeout|terminated/i.test(error.message)
      ? new LogError('unavailable', error)
      : error;

/** Shared batches have fewer rows than a batch number has sequences. */
async function numbered(
  shared: readonly SharedRows[],
  batches: WriteTransaction['batches'],
): Promise<readonly NewShared[]> {
  const first = await batches(shared.length);
  return shared.map((batch, index) => ({ ...batch, batch: first + index }));
}

const queryOf =
  (client: PoolClient) =>
  (text: string, values: readonly unknown[], name?: string): Promise<{ readonly rows: readonly unknown[] }> =>
    client.query({ text, values: [...values], ...(name !== undefined && { name }) });

/**
 * Numbers from blocks that are reserved for this node, so that nodes append without waiting for each other. Numbers of
 * different nodes are not in the order of time; they only have to be unique.
 */
function createBatchNumbers(reserve: () => Promise<number>): WriteTransaction['batches'] {
  let [next, end] = [0, 0];
  return async (count) => {
    if (count > RESERVED_BATCHES) throw new RangeError(`an append has at most ${RESERVED_BATCHES} batches`);
    if (next + count > end) {
      next = await reserve();
      end = next + RESERVED_BATCHES;
    }
    next += count;
    return next - count;
  };
}

function changeOf(
  client: PoolClient,
  batches: WriteTransaction['batches'],
  onProblem: (problem: unknown) => void,
): WriteTransaction {
  const run = async (sql: string, values: readonly unknown[]): Promise<void> => {
    await client.query(sql, [...values]);
  };
  return {
    ...viewOf(client),
    batches,
    async receive(id) {
      const sql = 'INSERT INTO log_received (id, stored_at) VALUES ($1, $2) ON CONFLICT DO NOTHING';
      const isNew = (await client.query(sql, [id, Date.now()])).rowCount === 1;
      await run('DELETE FROM log_received WHERE stored_at < $1', [Date.now() - KEEP_RECEIVED_MS]);
      return () => isNew;
    },
    appendSegments: (segments) => appendSegments(client, segments),
    addRolledUp: (account, segments) =>
      insertSegments(
        client,
        segments.map((segment) => ({ ...segment, account })),
      ),
    shared: {
      append: async (shared) => insertShared(queryOf(client), await numbered(shared, batches)),
      unshare: async (account) => {
        await unshareBucket(client, bucketOf(account), { isPatient: true, onProblem });
      },
    },
    setRolledUp: (metas) =>
      run('UPDATE log_blocks SET level = 1 WHERE id = ANY($1::bigint[])', [metas.map(({ id }) => id)]),
    remove: (metas) => run('DELETE FROM log_blocks WHERE id = ANY($1::bigint[])', [metas.map(({ id }) => id)]),
    async removeAll(account) {
      await run('DELETE FROM log_blocks WHERE account = $1', [account]);
      await run(`DELETE FROM log_tallies WHERE account = $1 AND unit = '${ZONE_MAP_UNIT}'`, [account]);
    },
    putRollup: (account, unit, { start, batch, queries, body }) =>
      run(
        `INSERT INTO log_tallies (account, unit, start, batch, queries, body) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (account, unit, start) DO UPDATE SET batch = excluded.batch,
           queries = log_tallies.queries + excluded.queries, body = excluded.body`,
        [account, unit, start, batch, queries, body],
      ),
    deleteRollups: (account) => run('DELETE FROM log_tallies WHERE account = $1', [account]),
    async clearRollups(account) {
      await run("DELETE FROM log_tallies WHERE account = $1 AND unit = 'minute'", [account]);
      await run("UPDATE log_tallies SET body = '' WHERE account = $1", [account]);
    },
    // Flushing is one transaction here, so recovery needs no marker.
    counted: async () => {},
  };
}
