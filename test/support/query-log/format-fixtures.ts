import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
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
