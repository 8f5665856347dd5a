import type { PoolClient } from 'pg';
import { DAY_MS } from '../../kit/durations.ts';
import type { SegmentPart, SegmentParts } from '../segments/segment.ts';
import { bucketOf } from '../segments/shared-rows.ts';
import { FORMAT, type FoundSegment, type ReadTransaction, type SegmentMeta } from './log-backend.ts';
import { SHARED_SEGMENTS } from './postgres-shared.ts';

/** Segments per query. */
const AT_ONCE = 64;

export const META = `id, level, batch, oldest, newest, row_count,
  coalesce((SELECT format FROM log_old_segments AS old WHERE old.id = log_blocks.id), ${FORMAT}) AS format`;
export type SqlRow = Readonly<Record<string, unknown>>;

export const metaOf = (row: SqlRow): SegmentMeta => ({
  id: row['id'] as number,
  level: row['level'] as number,
  batch: row['batch'] as number,
  first: row['oldest'] as number,
  last: row['newest'] as number,
  rows: row['row_count'] as number,
  format: row['format'] as number,
  ...(row['start'] !== undefined && { start: row['start'] as number }),
});

const foundIn = (row: SqlRow, parts: readonly SegmentPart[]): FoundSegment => ({
  meta: metaOf(row),
  raw: (row['fresh'] as Uint8Array | null) ?? undefined,
  parts: row['fresh'] === null ? Object.fromEntries(parts.map((part) => [part, row[part] as Uint8Array])) : {},
});

/** Merges segments of two sources, each newest first. */
async function* merged(one: AsyncGenerator<FoundSegment>, other: AsyncGenerator<FoundSegment>) {
  let [a, b] = [await one.next(), await other.next()];
  while (!a.done || !b.done) {
    const isFirst = !a.done && (b.done || a.value.meta.last >= b.value.meta.last);
    yield (isFirst ? a.value : b.value) as FoundSegment;
    if (isFirst) a = await one.next();
    else b = await other.next();
  }
}

export function viewOf(client: PoolClient): ReadTransaction {
  const query = async (sql: string, values: readonly unknown[]): Promise<readonly SqlRow[]> =>
    (await client.query(sql, [...values])).rows;
  const columns = async (metas: readonly SegmentMeta[], names: readonly string[]): Promise<readonly SqlRow[]> => {
    const sql = `SELECT id, ${names.join(', ')} FROM log_blocks WHERE id = ANY($1::bigint[])`;
    const rows = metas.length === 0 ? [] : await query(sql, [metas.map(({ id }) => id)]);
    const byId = new Map(rows.map((row) => [row['id'], row]));
    return metas.map(({ id }) => byId.get(id)!);
  };
  return {
    segments(account, { from, to, parts = [], isWanted = () => true }) {
      async function* found(select: string, id: string, shownParts: readonly SegmentPart[]) {
        const sql = `${select} AND newest >= $3 AND oldest <= $4 AND (newest, ${id}) < ($5, $6)
          ORDER BY newest DESC, ${id} DESC LIMIT $7`;
        // Segments do not cross midnight, so one that begins before `to` ends on the same day. Most pages need one or two
        // segments.
        let after: [number, number] = [Math.floor(to / DAY_MS) * DAY_MS + DAY_MS, 0];
        for (let limit = 2; ; limit = Math.min(AT_ONCE, limit * 4)) {
          const rows = await query(sql, [account, bucketOf(account), from, to, ...after, limit]);
          for (const row of rows) if (isWanted(metaOf(row))) yield foundIn(row, shownParts);
          if (rows.length < limit) return;
          after = [rows.at(-1)!['newest'] as number, rows.at(-1)!['id'] as number];
        }
      }
      // The bucket is a parameter of both statements.
      const accountSegments = `SELECT ${[META, 'fresh', ...parts].join(', ')} FROM log_blocks WHERE account = $1 AND $2::int IS NOT NULL`;
      return merged(found(accountSegments, 'id', parts), found(SHARED_SEGMENTS, '-id', []));
    },
    async parts<Part extends SegmentPart>(metas: readonly SegmentMeta[], parts: readonly Part[]) {
      return (await columns(metas, parts)) as unknown as readonly Pick<SegmentParts, Part>[];
    },
    async pages(requests) {
      const sql = `SELECT block, number, body FROM unnest($1::bigint[], $2::smallint[]) AS asked (block, number)
        JOIN log_pieces USING (block, number)`;
      const segments = requests.flatMap(({ meta, numbers: pageNumbers }) => pageNumbers.map(() => meta.id));
      const rows =
        segments.length === 0
          ? []
          : await query(sql, [segments, requests.flatMap(({ numbers: pageNumbers }) => pageNumbers)]);
      const bySegment = Map.groupBy(rows, (row) => row['block']);
      return requests.map(
        ({ meta }) =>
          new Map(bySegment.get(meta.id)?.map((row) => [row['number'] as number, row['body'] as Uint8Array])),
      );
    },
    async unflushed(account, which) {
      const sql = `SELECT ${META}, fresh FROM log_blocks WHERE account = $1 AND level = 0 ORDER BY batch`;
      const rows = await query(sql, [account]);
      const shared = which === 'own' ? [] : await query(SHARED_SEGMENTS, [account, bucketOf(account)]);
      return [...rows, ...shared].map((row) => foundIn(row, []));
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
