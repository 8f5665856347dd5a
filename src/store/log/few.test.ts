import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { Value } from './columns.ts';
import { openFew, ownerOf, type PackedFew, packFew } from './few.ts';
import { readRows } from './fresh-rows.ts';
import { aRecord, NOW } from './logs-for-tests.ts';
import { openColumns } from './open-columns.ts';
import { type KeyField, keyFields, placeOf, type RowTable, valuesOf } from './row.ts';
import { cutByDay, dayOf } from './table.ts';
import { writeRows } from './write-rows.ts';

const ROWS = 8000;
const origin = { dayStart: dayOf(NOW), batch: 7 };

/** Rows of one day, newest first. */
const tableOf = (record: (number: number) => Partial<QueryRecord>, rows = ROWS): RowTable =>
  cutByDay(
    readRows(
      writeRows(Array.from({ length: rows }, (_, number) => aRecord({ time: NOW - number, ...record(number) }))),
      7,
    ),
    rows,
  )[0]!;

function rowsOf(few: PackedFew, field: KeyField, value: Value) {
  const owner = ownerOf(field, value);
  const open = openFew(few[owner.part]!, origin);
  return open.rowsOf(owner)?.map((row) => ({ ...open.at(row), values: open.read(row) }));
}

test('rows of a value that few have are found whole, and of any other it is known that there are more', () => {
  const table = tableOf((number) => ({
    ...(number % 3 === 0 ? {} : { responseCountry: 'DE' }),
    device: number % 1000 === 1 ? 'rare' : number % 200 === 2 ? 'seldom' : 'usual',
    companyId: number === 5 ? 'once' : `c${number % 10}`,
    domain: `name-${number % 700}.example`,
  }));
  const few = packFew(table, origin)!;
  for (const field of keyFields) {
    const place = placeOf(field);
    for (const value of table.keys.fields[keyFields.indexOf(field)]!.values) {
      const rows = [...table.times.keys()].filter((row) => valuesOf(table, row)[place] === value);
      const whole = rows.map((row) => ({
        time: table.times[row],
        sequence: table.sequences[row],
        values: valuesOf(table, row),
      }));
      assert.deepEqual(rowsOf(few, field, value), rows.length > 32 ? undefined : whole);
    }
    assert.deepEqual(rowsOf(few, field, 'nobody'), []);
  }
});

test('where most values of a field are rare, only the rarest are kept: one row of eight', () => {
  const few = packFew(
    tableOf((number) => ({ companyId: `c${number < 300 ? number : 300 + (number % 400)}` })),
    origin,
  )!;
  const kept = few.reduce((sum, part) => sum + openColumns(part).length, 0);
  assert.equal(kept, 300);
  assert.equal(rowsOf(few, 'companyId', 'c5')?.length, 1);
  assert.equal(rowsOf(few, 'companyId', 'c305'), undefined);
});

test('of a small block, and of one in which nothing is rare, nothing is kept twice', () => {
  assert.equal(
    packFew(
      tableOf(() => ({})),
      origin,
    ),
    undefined,
  );
  assert.equal(
    packFew(
      tableOf(() => ({}), 4000),
      origin,
    ),
    undefined,
  );
});

test('two values that look the same are told apart', () => {
  const [one, other] = withSameHash();
  const both = packFew(
    tableOf((number) => (number < 2 ? { companyId: [one, other][number]! } : number === 2 ? { device: 'rare' } : {})),
    origin,
  )!;
  assert.deepEqual([rowsOf(both, 'companyId', one), rowsOf(both, 'companyId', other)], [undefined, undefined]);
  const single = packFew(
    tableOf((number) => (number < 2 ? { companyId: one } : {})),
    origin,
  )!;
  assert.deepEqual([rowsOf(single, 'companyId', one)?.length, rowsOf(single, 'companyId', other)], [2, []]);
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
