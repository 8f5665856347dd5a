import type { PoolClient } from 'pg';
import { segmentParts } from '../segments/segment.ts';
import type { NewSegment, RolledUpSegment } from './log-backend.ts';
import { binaryBytes } from './postgres-arrays.ts';

type AccountSegment = RolledUpSegment & { readonly account: string };

const INSERT_ENCODED = `INSERT INTO log_blocks (account, level, batch, oldest, newest, row_count, ${segmentParts.join(', ')})
  SELECT * FROM unnest($1::text[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[],
    ${segmentParts.map((_, index) => `$${index + 7}::bytea[]`).join(', ')}) RETURNING id`;
const INSERT_PAGES = `INSERT INTO log_pieces (block, number, body)
  SELECT $1, number, body FROM unnest($2::smallint[], $3::bytea[]) AS each (number, body)`;

/** Inserts encoded segments, in one statement unless they have an index. */
export async function insertSegments(client: PoolClient, segments: readonly AccountSegment[]): Promise<void> {
  const [indexed, plain] = [
    segments.filter(({ pages }) => pages.length > 0),
    segments.filter(({ pages }) => pages.length === 0),
  ];
  for (const group of [plain, ...indexed.map((segment) => [segment])]) {
    if (group.length === 0) continue;
    const bodies = segmentParts.map((part) => binaryBytes(group.map(({ parts }) => parts[part])));
    const inserted = await client.query(INSERT_ENCODED, [
      group.map(({ account }) => account),
      group.map(({ level }) => level),
      group.map(({ batch }) => batch),
      group.map(({ first }) => first),
      group.map(({ last }) => last),
      group.map(({ rows }) => rows),
      ...bodies,
    ]);
    const { pages } = group[0]!;
    if (pages.length > 0)
      await client.query(INSERT_PAGES, [
        (inserted.rows[0] as { id: number }).id,
        pages.map(([number]) => number),
        binaryBytes(pages.map(([, body]) => body)),
      ]);
  }
}

const INSERT_RAW = `INSERT INTO log_blocks (account, level, batch, oldest, newest, row_count, fresh)
  SELECT account, 0, batch, oldest, newest, row_count, fresh
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::bytea[])
    AS rows (account, batch, oldest, newest, row_count, fresh)`;

/** Appends segments of level 0. */
export async function appendSegments(client: PoolClient, segments: readonly NewSegment[]): Promise<void> {
  for (const { content, ...segment } of segments)
    if (content.kind === 'encoded') await insertSegments(client, [{ ...segment, ...content, level: 0 }]);
  const few = segments.flatMap(({ content, ...others }) =>
    content.kind === 'encoded' ? [] : [{ ...others, raw: content.raw }],
  );
  await client.query(INSERT_RAW, [
    few.map(({ account }) => account),
    few.map(({ batch }) => batch),
    few.map(({ first }) => first),
    few.map(({ last }) => last),
    few.map(({ rows }) => rows),
    binaryBytes(few.map(({ raw }) => raw)),
  ]);
}
