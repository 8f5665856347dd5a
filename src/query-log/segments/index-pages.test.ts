import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { BITMAP_PARTS, bitmapLookup, openBitmaps, rowsWithValues } from './bitmap-index.ts';
import type { Value } from './columns.ts';
import { encodeRecords } from './encode-records.ts';
import { encodeRowPages, type IndexPages, pageOf, rowInPage } from './index-pages.ts';
import { readRawRows } from './raw-rows.ts';
import { columnOf, type KeyField, keyFields, type RowTable, valuesOf } from './row.ts';
import { openRowPage } from './row-pages.ts';
import { cutByDay, dayOf } from './row-table.ts';

const ROWS = 8000;
const origin = { dayStart: dayOf(NOW), batch: 7 };

/** Rows of one day, newest first. */
const tableOf = (record: (number: number) => Partial<QueryRecord>, rows = ROWS): RowTable =>
  cutByDay(
    readRawRows(
      encodeRecords(Array.from({ length: rows }, (_, number) => aRecord({ time: NOW - number, ...record(number) }))),
      7,
    ),
    rows,
  )[0]!;

/** Index result for a value: rows of rare tuples, and the number of frequent tuples. */
function told(encoded: IndexPages, field: KeyField, value: Value) {
  const bodies = new Map(encoded);
  const { parts, hashes } = bitmapLookup([field, new Set([value])]);
  const marked = rowsWithValues(parts.flatMap((part) => bodies.get(part) ?? []).map(openBitmaps), hashes);
  const rows = [...marked.rows]
    .filter((row) => row < marked.rowsInPages)
    .map((row) => {
      const page = openRowPage(bodies.get(pageOf(row))!, origin);
      return { ...page.at(rowInPage(row)), values: page.read(rowInPage(row)) };
    });
  return { rows: rows.sort((one, other) => other.time - one.time), commonKinds: marked.rows.length - rows.length };
}

test('of every value the rows of rare kinds are found whole, and of common kinds it is known that there are some', () => {
  const table = tableOf((number) => ({
    ...(number % 3 === 0 ? {} : { responseCountry: 'DE' }),
    device: number % 1000 === 1 ? 'rare' : number % 200 === 2 ? 'seldom' : 'usual',
    companyId: number === 5 ? 'once' : `c${number % 10}`,
    domain: number % 70 === 3 ? `bücher-${number}.example` : `name-${number % 700}.example`,
    rcode: number % 17,
    dnssec: number % 2 === 0,
  }));
  const encoded = encodeRowPages(table, origin);
  const kinds = Map.groupBy(table.times.keys(), (row) => table.keys.codes[row]!);
  const isRare = (row: number): boolean => kinds.get(table.keys.codes[row]!)!.length <= 128;
  assert.ok(kinds.values().some((rows) => rows.length > 128));
  for (const [index, field] of keyFields.entries()) {
    const { values, codes } = table.keys.fields[index]!;
    for (const value of values.filter((each) => each !== null)) {
      const has = (row: number): boolean => values[codes[table.keys.codes[row]!]!] === value;
      const rows = [...table.times.keys()].filter((row) => has(row) && isRare(row));
      const common = [...kinds.values()].filter(([row]) => has(row!) && !isRare(row!));
      assert.deepEqual(told(encoded, field, value), {
        rows: rows.map((row) => ({
          time: table.times[row],
          sequence: table.sequences[row],
          values: valuesOf(table, row),
        })),
        commonKinds: common.length,
      });
    }
    assert.deepEqual(told(encoded, field, 'nobody'), { rows: [], commonKinds: 0 });
  }
});

test('of a kind that many rows have none are kept twice, and of a small block none at all', () => {
  const alike = encodeRowPages(
    tableOf(() => ({})),
    origin,
  );
  assert.ok(alike.every(([number]) => number < BITMAP_PARTS));
  assert.deepEqual(told(alike, 'device', 'phone'), { rows: [], commonKinds: 1 });
  const small = tableOf((number) => ({ companyId: `c${number}` }), 4000);
  assert.deepEqual(encodeRowPages(small, origin), []);
});

test('rows of two values that look the same are all found, and each says which value it has', () => {
  const [one, other] = withSameHash();
  const encoded = encodeRowPages(
    tableOf((number) => (number < 2 ? { companyId: [one, other][number]! } : {})),
    origin,
  );
  const companies = told(encoded, 'companyId', one).rows.map(({ values }) => values[columnOf('companyId')]);
  assert.deepEqual(companies, [one, other]);
});

function withSameHash(): readonly [string, string] {
  const known = new Map<number, string>();
  for (let number = 0; ; number += 1) {
    const name = `company-${number * 7919}`;
    const hash = crc32(`companyId ${name}`);
    const same = known.get(hash);
    if (same !== undefined) return [same, name];
    known.set(hash, name);
  }
}
