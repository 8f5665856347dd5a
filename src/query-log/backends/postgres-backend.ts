import pg, { type PoolClient } from 'pg';
import { DAY_MS } from '../../kit/durations.ts';
import { keyedMutex } from '../../kit/keyed-mutex.ts';
import { isResponseTimeout, openPostgresPool } from '../../postgres/open-pool.ts';
import { LogError } from '../log-store.ts';
import { type SegmentPart, type SegmentParts, segmentParts } from '../segments/segment.ts';
import {
  checkFormat,
  FORMAT,
  type FoundSegment,
  isOutdatedSql,
  type LogBackend,
  type ReadTransaction,
  type RolledUpSegment,
  type SegmentMeta,
  type WriteTransaction,
} from './log-backend.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 3000;
/** Segments per query. */
const AT_ONCE = 64;
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
`;

const META = `id, level, batch, oldest, newest, row_count,
  coalesce((SELECT format FROM log_old_segments AS old WHERE old.id = log_blocks.id), ${FORMAT}) AS format`;
type SqlRow = Readonly<Record<string, unknown>>;

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

  const transact = async <T>(begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw toLogError(error);
    });
    let failure: unknown;
    try {
      await client.query(begin);
      const result = await work(client);
      await client.query('COMMIT');
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
          return work(changeOf(client, batches));
        }),
      ),
    async accounts() {
      return (await query('SELECT account FROM log_blocks UNION SELECT account FROM log_tallies')).map(
        ({ account }) => account as string,
      );
    },
    async unflushedByAccount() {
      const rows = await query(`SELECT account, count(*) AS blocks, min(oldest) AS oldest,
        coalesce(sum(row_count) FILTER (WHERE fresh IS NOT NULL), 0) AS row_count,
        coalesce(sum(row_count) FILTER (WHERE fresh IS NULL), 0) AS encoded
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
           WHERE account = of_account AND unit = 'occurring' AND start <= cutoff - $3::float8`,
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
    close: pool.close,
  };
}

/** Creates missing tables and lists segments of earlier formats. Tables that this version cannot read stay unchanged. */
async function createTables(client: PoolClient): Promise<void> {
  const sql = `SELECT obj_description(oid, 'pg_class') AS note, to_regclass('log_old_segments') AS old_segments
    FROM pg_class WHERE oid = to_regclass('log_blocks')`;
  const [table] = (await client.query(sql)).rows as readonly SqlRow[];
  const format = table ? Number(/^format (\d+)$/.exec(String(table['note']))?.[1]) : FORMAT;
  checkFormat(format);
  if (table?.['old_segments'] && format === FORMAT) return;
  await client.query(schema);
  if (format !== FORMAT)
    await client.query(`INSERT INTO log_old_segments (id, format)
      SELECT id, ${format} FROM log_blocks WHERE ${isOutdatedSql[format]}`);
  await client.query(`COMMENT ON TABLE log_blocks IS 'format ${FORMAT}'`);
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

const metaOf = (row: SqlRow): SegmentMeta => ({
  id: row['id'] as number,
  level: row['level'] as number,
  batch: row['batch'] as number,
  first: row['oldest'] as number,
  last: row['newest'] as number,
  rows: row['row_count'] as number,
  format: row['format'] as number,
});

const foundIn = (row: SqlRow, parts: readonly SegmentPart[]): FoundSegment => ({
  meta: metaOf(row),
  raw: (row['fresh'] as Uint8Array | null) ?? undefined,
  parts: row['fresh'] === null ? Object.fromEntries(parts.map((part) => [part, row[part] as Uint8Array])) : {},
});

function viewOf(client: PoolClient): ReadTransaction {
  const query = async (sql: string, values: readonly unknown[]): Promise<readonly SqlRow[]> =>
    (await client.query(sql, [...values])).rows;
  const columns = async (metas: readonly SegmentMeta[], names: readonly string[]): Promise<readonly SqlRow[]> => {
    const sql = `SELECT id, ${names.join(', ')} FROM log_blocks WHERE id = ANY($1::bigint[])`;
    const rows = metas.length === 0 ? [] : await query(sql, [metas.map(({ id }) => id)]);
    const byId = new Map(rows.map((row) => [row['id'], row]));
    return metas.map(({ id }) => byId.get(id)!);
  };
  return {
    async *segments(account, { from, to, parts = [], isWanted = () => true }) {
      const sql = `SELECT ${[META, 'fresh', ...parts].join(', ')} FROM log_blocks
        WHERE account = $1 AND newest >= $2 AND oldest <= $3 AND (newest, id) < ($4, $5)
        ORDER BY newest DESC, id DESC LIMIT $6`;
      // Segments do not cross midnight, so one that begins before `to` ends on the same day. Most pages need one or two
      // segments.
      let after: [number, number] = [Math.floor(to / DAY_MS) * DAY_MS + DAY_MS, 0];
      for (let limit = 2; ; limit = Math.min(AT_ONCE, limit * 4)) {
        const rows = await query(sql, [account, from, to, ...after, limit]);
        for (const row of rows) if (isWanted(metaOf(row))) yield foundIn(row, parts);
        if (rows.length < limit) return;
        after = [rows.at(-1)!['newest'] as number, rows.at(-1)!['id'] as number];
      }
    },
    async parts<Part extends SegmentPart>(metas: readonly SegmentMeta[], parts: readonly Part[]) {
      return (await columns(metas, parts)) as unknown as readonly Pick<SegmentParts, Part>[];
    },
    async pages(asked) {
      const sql = `SELECT block, number, body FROM unnest($1::bigint[], $2::smallint[]) AS asked (block, number)
        JOIN log_pieces USING (block, number)`;
      const segments = asked.flatMap(({ meta, numbers: those }) => those.map(() => meta.id));
      const rows =
        segments.length === 0 ? [] : await query(sql, [segments, asked.flatMap(({ numbers: those }) => those)]);
      const bySegment = Map.groupBy(rows, (row) => row['block']);
      return asked.map(
        ({ meta }) =>
          new Map(bySegment.get(meta.id)?.map((row) => [row['number'] as number, row['body'] as Uint8Array])),
      );
    },
    async unflushed(account) {
      const sql = `SELECT ${META}, fresh FROM log_blocks WHERE account = $1 AND level = 0 ORDER BY batch`;
      return (await query(sql, [account])).map((row) => foundIn(row, []));
    },
    async rollups(account, unit, from, to) {
      const sql =
        'SELECT start, batch FROM log_tallies WHERE account = $1 AND unit = $2 AND start BETWEEN $3 AND $4 AND octet_length(body) > 0';
      const rows = await query(sql, [account, unit, from, to]);
      return rows.map(({ start, batch }) => ({ start: start as number, batch: batch as number }));
    },
    async bodies(account, unit, starts) {
      const sql = `SELECT start, batch, body FROM log_tallies
        WHERE account = $1 AND unit = $2 AND start = ANY($3::bigint[]) AND octet_length(body) > 0`;
      const rows = starts.length === 0 ? [] : await query(sql, [account, unit, starts]);
      return rows.map(({ start, batch, body }) => ({
        start: start as number,
        batch: batch as number,
        body: body as Uint8Array,
      }));
    },
    async queries(account, unit, from, to) {
      const sql = `SELECT coalesce(sum(queries), 0) AS sum FROM log_tallies
        WHERE account = $1 AND unit = $2 AND start BETWEEN $3 AND $4`;
      return (await query(sql, [account, unit, from, to]))[0]!['sum'] as number;
    },
  };
}

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

const INSERT_RAW = `INSERT INTO log_blocks (account, level, batch, oldest, newest, row_count, fresh)
  SELECT account, 0, batch, oldest, newest, row_count, fresh
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::bytea[])
    AS rows (account, batch, oldest, newest, row_count, fresh)`;
const INSERT_ENCODED = `INSERT INTO log_blocks
  (account, level, batch, oldest, newest, row_count, ${segmentParts.join(', ')})
  VALUES ($1, $2, $3, $4, $5, $6, ${segmentParts.map((_, place) => `$${place + 7}`).join(', ')}) RETURNING id`;
const INSERT_PAGES = `INSERT INTO log_pieces (block, number, body)
  SELECT $1, number, body FROM unnest($2::smallint[], $3::bytea[]) AS each (number, body)`;

function changeOf(client: PoolClient, batches: WriteTransaction['batches']): WriteTransaction {
  const run = async (sql: string, values: readonly unknown[]): Promise<void> => {
    await client.query(sql, [...values]);
  };
  const insertEncoded = async (account: string, segment: RolledUpSegment): Promise<void> => {
    const { level, batch, first, last, rows, parts, pages } = segment;
    const bodies = segmentParts.map((part) => parts[part]);
    const inserted = await client.query(INSERT_ENCODED, [account, level, batch, first, last, rows, ...bodies]);
    if (pages.length > 0)
      await run(INSERT_PAGES, [
        (inserted.rows[0] as SqlRow)['id'],
        pages.map(([number]) => number),
        pages.map(([, body]) => body),
      ]);
  };
  return {
    ...viewOf(client),
    batches,
    async appendSegments(segments) {
      for (const { account, content, ...meta } of segments)
        if (content.kind === 'encoded') await insertEncoded(account, { ...meta, ...content, level: 0 });
      const few = segments.flatMap(({ content, ...others }) =>
        content.kind === 'encoded' ? [] : [{ ...others, raw: content.raw }],
      );
      await run(INSERT_RAW, [
        few.map(({ account }) => account),
        few.map(({ batch }) => batch),
        few.map(({ first }) => first),
        few.map(({ last }) => last),
        few.map(({ rows }) => rows),
        few.map(({ raw }) => raw),
      ]);
    },
    async addRolledUp(account, segments) {
      for (const segment of segments) await insertEncoded(account, segment);
    },
    setRolledUp: (metas) =>
      run('UPDATE log_blocks SET level = 1 WHERE id = ANY($1::bigint[])', [metas.map(({ id }) => id)]),
    remove: (metas) => run('DELETE FROM log_blocks WHERE id = ANY($1::bigint[])', [metas.map(({ id }) => id)]),
    async removeAll(account) {
      await run('DELETE FROM log_blocks WHERE account = $1', [account]);
      await run("DELETE FROM log_tallies WHERE account = $1 AND unit = 'occurring'", [account]);
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
