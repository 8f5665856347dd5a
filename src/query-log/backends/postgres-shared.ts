import type { PoolClient } from 'pg';
import { bucketOf, type SharedRows } from '../segments/shared-rows.ts';
import { type StoredShared, unshare } from '../segments/unshare.ts';
import { FORMAT, type NewShared } from './log-backend.ts';
import { binarySmallints, binaryTexts } from './postgres-arrays.ts';
import { insertSegments } from './postgres-segments.ts';

/** Rows of many quiet accounts in one table row, until they are moved to segments of their accounts. */
export const sharedSchema = `
  CREATE TABLE IF NOT EXISTS log_shared (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bucket smallint NOT NULL,
    batch bigint NOT NULL,
    oldest bigint NOT NULL,
    newest bigint NOT NULL,
    row_count integer NOT NULL,
    stored timestamptz NOT NULL DEFAULT now(),
    accounts text[] NOT NULL,
    ends smallint[] NOT NULL,
    body bytea NOT NULL
  );
  CREATE INDEX IF NOT EXISTS log_shared_by_time ON log_shared (bucket, newest);
`;

const METHODS = "SELECT enumvals AS methods FROM pg_settings WHERE name = 'default_toast_compression'";
const OTHERWISE_COMPRESSED = `SELECT attname AS name FROM pg_attribute
  WHERE attrelid = 'log_shared'::regclass AND attname IN ('accounts', 'ends', 'body') AND attcompression <> 'l'`;

/**
 * From PostgreSQL 14 on, if it is built with LZ4: the default method takes more time than the rest of an insert.
 * Stored values are not rewritten, because each contains its compression method.
 */
export async function compressByLz4(client: PoolClient): Promise<void> {
  const [setting] = (await client.query<{ methods: readonly string[] }>(METHODS)).rows;
  if (!setting?.methods.includes('lz4')) return;
  const { rows } = await client.query<{ name: string }>(OTHERWISE_COMPRESSED);
  for (const { name } of rows) await client.query(`ALTER TABLE log_shared ALTER COLUMN ${name} SET COMPRESSION lz4`);
}

/** Locks of buckets; no other part of the program uses this number. */
const BUCKET_LOCKS = 0x57_4c_4f_49;
/** Rows are moved after this time, or earlier if there are many. Until then a reader of one account reads the others, too. */
const MAX_AGE = "interval '10 minutes'";
/** Table rows per statement. */
const AT_ONCE = 64;
/** Batches that are moved at once; they are all in memory. */
const BATCHES_AT_ONCE = 2048;
const COLUMNS = ['bucket', 'batch', 'oldest', 'newest', 'row_count', 'accounts', 'ends', 'body'];

/** `name`: the server parses the statement once per connection. */
type Query = (sql: string, values: readonly unknown[], name?: string) => Promise<{ readonly rows: readonly unknown[] }>;

const chunksOf = <T>(all: readonly T[], size = AT_ONCE): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));

export async function insertShared(query: Query, batches: readonly NewShared[]): Promise<void> {
  for (const chunk of chunksOf(batches)) {
    const values = chunk.flatMap((batch) => [
      bucketOf(batch.accounts[0]!.account),
      batch.batch,
      batch.first,
      batch.last,
      batch.rows,
      binaryTexts(batch.accounts.map(({ account }) => account)),
      binarySmallints(batch.accounts.map(({ start, rows }) => start + rows)),
      batch.raw,
    ]);
    const tuples = chunk.map(
      (_, row) => `(${COLUMNS.map((__, index) => `$${row * COLUMNS.length + index + 1}`).join(', ')})`,
    );
    const sql = `INSERT INTO log_shared (${COLUMNS.join(', ')}) VALUES ${tuples.join(', ')}`;
    await query(sql, values, `log_shared ${chunk.length}`);
  }
}

/** Whether one statement stores them. */
export const isOneStatement = (batches: readonly SharedRows[]): boolean => batches.length <= AT_ONCE;

/** Rows of the account ($1) in shared batches of its bucket ($2), as raw segments with negative ids. */
export const SHARED_SEGMENTS = `SELECT -id AS id, 0 AS level, batch, oldest, newest, ends[place] - start AS row_count,
    ${FORMAT} AS format, start, body AS fresh
  FROM log_shared, LATERAL (SELECT array_position(accounts, $1) AS place) AS found,
    LATERAL (SELECT coalesce(ends[place - 1], 0)::int AS start) AS before
  WHERE bucket = $2 AND place IS NOT NULL`;

/** Which buckets are moved: those with many or old batches, or those with rows before a time. */
export type DueBuckets = { readonly maxRows: number } | { readonly before: number };

export async function dueBuckets(query: Query, due: DueBuckets): Promise<readonly number[]> {
  const { rows } =
    'maxRows' in due
      ? await query(
          `SELECT bucket FROM log_shared GROUP BY bucket HAVING sum(row_count) >= $1 OR min(stored) < now() - ${MAX_AGE}`,
          [due.maxRows],
        )
      : await query('SELECT DISTINCT bucket FROM log_shared WHERE oldest < $1::float8', [due.before]);
  return (rows as { bucket: number }[]).map(({ bucket }) => bucket);
}

const SELECT_SHARED = 'SELECT id, batch, accounts, ends, body FROM log_shared WHERE bucket = $1 ORDER BY id LIMIT $2';
type SharedRow = { id: number; batch: number; accounts: readonly string[]; ends: readonly number[]; body: Uint8Array };

/**
 * Moves all rows of a bucket to segments of their accounts, as part of a transaction. False if another node does so at
 * the moment and it should not wait for it.
 */
export async function unshareBucket(
  client: PoolClient,
  bucket: number,
  { isPatient, onProblem }: { readonly isPatient: boolean; readonly onProblem: (problem: unknown) => void },
): Promise<boolean> {
  if (isPatient) await client.query('SELECT pg_advisory_xact_lock($1, $2)', [BUCKET_LOCKS, bucket]);
  else {
    const locked = await client.query('SELECT pg_try_advisory_xact_lock($1, $2) AS ok', [BUCKET_LOCKS, bucket]);
    if (!locked.rows[0].ok) return false;
  }
  for (;;) {
    const { rows } = await client.query<SharedRow>(SELECT_SHARED, [bucket, BATCHES_AT_ONCE]);
    const segments = await unshare(rows.map(storedIn), onProblem);
    for (const chunk of chunksOf(segments)) await insertSegments(client, chunk);
    await client.query('DELETE FROM log_shared WHERE id = ANY($1::bigint[])', [rows.map(({ id }) => id)]);
    if (rows.length < BATCHES_AT_ONCE) return true;
  }
}

const storedIn = ({ batch, accounts, ends, body }: SharedRow): StoredShared => ({
  batch,
  accounts: accounts.map((account, index) => {
    const start = ends[index - 1] ?? 0;
    return { account, start, rows: ends[index]! - start };
  }),
  raw: body,
});
