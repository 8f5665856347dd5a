import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { QueryRecord } from '../../../src/domain/query-record.ts';

/*
 * Logs of earlier formats, as the versions that had them wrote them: test/fixtures/query-log/format-N. Each holds `fixtureRecords()`:
 * 4,600 rows of `home` in a rolled-up segment and 60 that are not flushed, 40 unflushed rows of `office` in another week, and 300 rows
 * of `busy` (from format 3 on in a segment of level 0).
 */
export const FIXTURE_NOW = Date.UTC(2026, 10, 12, 18);
const START = Date.UTC(2026, 10, 12, 9);
const WEEK_MS = 7 * 86_400_000;
const companies = ['google', 'meta', 'unknown', 'akamai'] as const;
const categories = ['ADS', 'TRACKERS', 'OTHERS', 'CDN'] as const;

function fixtureRecord(account: string, time: number, row: number): QueryRecord {
  const isBlocked = row % 7 === 0;
  return {
    time,
    account,
    dnsServer: row % 5 === 0 ? 'server-2' : 'server-1',
    // One device in a thousand rows is rare enough for the bitmap index; some rows have none.
    ...(row % 11 === 0 ? {} : { device: row % 997 === 0 ? 'printer' : `device-${row % 4}` }),
    domain: row % 101 === 0 ? `b\u00fccher-"${row % 3}".example` : `name-${(row * 7) % 60}.example`,
    type: row % 3 === 0 ? 28 : 1,
    rcode: isBlocked ? 3 : 0,
    protocol: row % 2 === 0 ? 'DOH' : 'DOT',
    status: isBlocked ? 'REQUEST_BLOCKED' : 'NONE',
    ...(isBlocked ? { source: 'FILTERS', filterId: 'list', rule: '||example^$important' } : {}),
    ...(row % 13 === 0 ? { responseCountry: 'DE', clientCountry: 'FR', asn: 64_500, network: 'Example Net' } : {}),
    ...(row % 17 === 0 ? { clientSubnet: '192.0.2.0/24' } : {}),
    dnssec: row % 19 === 0,
    companyId: companies[row % 4]!,
    category: categories[row % 4]!,
  };
}

const rowsOf = (account: string, start: number, count: number, stepMs: number): QueryRecord[] =>
  Array.from({ length: count }, (_, row) => fixtureRecord(account, start + Math.floor(row / 2) * stepMs, row));

/** The rows of every fixture, in the order in which they were appended. */
export const fixtureRecords = () => ({
  flushed: rowsOf('home', START, 4600, 5000),
  unflushed: [...rowsOf('home', START + 5 * 3_600_000, 60, 1000), ...rowsOf('office', START - WEEK_MS, 40, 1000)],
  busy: rowsOf('busy', START, 300, 1000),
});

const fixtures = fileURLToPath(new URL('../../fixtures/query-log/', import.meta.url));
export const fixtureFormats = (): readonly number[] =>
  readdirSync(fixtures).map((name) => Number(name.replace('format-', '')));

/** Writes the SQLite files of a format into a folder. */
export function unpackFixture(format: number, folder: string): void {
  const from = join(fixtures, `format-${format}`);
  for (const name of readdirSync(from))
    writeFileSync(join(folder, name.replace(/\.gz$/, '')), gunzipSync(readFileSync(join(from, name))));
}

const oldPostgresSchema = `
  CREATE SEQUENCE log_batches;
  CREATE TABLE log_blocks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account text NOT NULL, level smallint NOT NULL, batch bigint NOT NULL,
    oldest bigint NOT NULL, newest bigint NOT NULL, row_count integer NOT NULL,
    fresh bytea, keys bytea, names bytea, spots bytea, rest bytea
  );
  CREATE TABLE log_few (
    block bigint NOT NULL REFERENCES log_blocks ON DELETE CASCADE,
    part smallint NOT NULL, body bytea NOT NULL, PRIMARY KEY (block, part)
  );
  CREATE TABLE log_pieces (
    block bigint NOT NULL REFERENCES log_blocks ON DELETE CASCADE,
    number smallint NOT NULL, body bytea NOT NULL, PRIMARY KEY (block, number)
  );
  CREATE INDEX log_blocks_by_time ON log_blocks (account, newest, id);
  CREATE INDEX log_blocks_fresh ON log_blocks (account, batch) WHERE level = 0;
  CREATE TABLE log_tallies (
    account text NOT NULL, unit text NOT NULL, start bigint NOT NULL, batch bigint NOT NULL, queries bigint NOT NULL,
    body bytea NOT NULL, PRIMARY KEY (account, unit, start)
  );
  CREATE INDEX log_tallies_by_age ON log_tallies (unit, start);
`;
const blockColumns = 'account, level, batch, oldest, newest, row_count, fresh, keys, names, spots, rest';
const tallyColumns = 'account, unit, start, batch, queries, body';

/** The same log as in the SQLite files of a folder, in the tables that a version with this format had in PostgreSQL. */
export async function copyToPostgres(format: number, folder: string, url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const insert = async (table: string, columns: string, values: readonly unknown[]): Promise<number> => {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const { rows } = await client.query(`INSERT INTO ${table} (${columns}) VALUES (${places}) RETURNING *`, [
      ...values,
    ]);
    return (rows[0] as { readonly id: number }).id;
  };
  await client.query(oldPostgresSchema);
  await client.query(
    `DROP TABLE ${format < 4 ? 'log_pieces' : 'log_few'}; COMMENT ON TABLE log_blocks IS 'format ${format}'`,
  );
  const [index, number, pagesPerSegment] = format < 4 ? ['few', 'part', 32] : ['pieces', 'number', 512];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.db'))) {
    const database = new DatabaseSync(join(folder, name), { readOnly: true });
    const all = (sql: string): Record<string, unknown>[] => database.prepare(sql).all();
    for (const row of all(`SELECT ${tallyColumns} FROM tallies`))
      await insert('log_tallies', tallyColumns, Object.values(row));
    for (const row of name === 'statistics.db' ? [] : all(`SELECT id AS old_id, ${blockColumns} FROM blocks`)) {
      const { old_id: oldId, ...values } = row;
      const id = await insert('log_blocks', blockColumns, Object.values(values));
      const first = (oldId as number) * pagesPerSegment;
      const pages = all(
        `SELECT id - ${first} AS number, body FROM ${index} WHERE id - ${first} BETWEEN 0 AND ${pagesPerSegment - 1}`,
      );
      for (const page of pages)
        await insert(`log_${index}`, `block, ${number}, body`, [id, page['number'], page['body']]);
    }
    database.close();
  }
  // Batch numbers of SQLite are times.
  await client.query(`SELECT setval('log_batches', ${FIXTURE_NOW + 1_000_000})`);
  await client.end();
}
