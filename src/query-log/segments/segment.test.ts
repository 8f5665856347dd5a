import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { recordsIn, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { packColumns } from './columns.ts';
import { openColumns } from './open-columns.ts';
import { valuesOf } from './row.ts';
import { cutByDay, dayOf } from './row-table.ts';
import { encodeSegment, rowReader, tableOf, zoneMapOf, zoneMapOfKeys } from './segment.ts';
import { hourBit, hoursBetween } from './zone-map.ts';

const HOUR = 3_600_000;
const table = cutByDay(
  tableFrom(
    someRecords(200, (row) => ({
      time: dayOf(NOW) + row * 60_000,
      domain: `name-${row % 30}.example`,
      device: row < 60 ? 'phone' : 'tv',
      companyId: `c${row % 20}`,
      latencyMs: row,
      ...(row % 2 === 0 ? {} : { rule: `||name-${row}.example^`, asn: row }),
    })),
    5,
  ),
  1000,
)[0]!;
const { parts } = encodeSegment(table, 5);
const origin = { dayStart: dayOf(NOW), batch: 5 };

test('a segment is read as it was encoded, as a table and row by row', () => {
  const read = tableOf(parts, origin);
  assert.deepEqual(recordsIn(read), recordsIn(table));
  assert.deepEqual(read.sequences, table.sequences);
  const rowAt = rowReader(parts);
  for (const row of [199, 0, 57]) assert.deepEqual(rowAt(row), valuesOf(table, row));
});

test('a segment of a version that did not measure latencies is read without them', () => {
  const open = openColumns(parts.spots);
  const columns = ['time', 'batch', 'place', 'key', 'domain', 'rest'].map((name) => {
    const column = open.column(name);
    return [name, { values: column.values(), codes: column.codes() }] as const;
  });
  const old = { ...parts, spots: packColumns(open.length, Object.fromEntries(columns)) };
  const read = recordsIn(tableOf(old, origin));
  assert.ok(read.every(({ latencyMs }) => latencyMs === undefined));
  const latencies = recordsIn(table).map(({ latencyMs }) => ({ latencyMs }));
  assert.deepEqual(
    read.map((record, row) => ({ ...record, ...latencies[row] })),
    recordsIn(table),
  );
  assert.equal(rowReader(old)(0).at(-1), null);
});

test('the zone map of rows has the hours of each tuple, that of keys all hours of the segment', () => {
  const bits = (hours: ArrayLike<number>): number => Array.from(hours).reduce((all, bit) => all | bit, 0);
  const exact = zoneMapOf(table);
  const [device] = exact.fields;
  const hoursOf = (name: string): number =>
    bits(Array.from(exact.hours).filter((_, tuple) => device!.values[device!.codes[tuple]!] === name));
  assert.equal(hoursOf('phone'), hourBit(dayOf(NOW)));
  assert.equal(
    hoursOf('tv'),
    hourBit(dayOf(NOW) + HOUR) | hourBit(dayOf(NOW) + 2 * HOUR) | hourBit(dayOf(NOW) + 3 * HOUR),
  );
  const [first, last] = [table.times.at(-1)!, table.times[0]!];
  const wide = zoneMapOfKeys(parts.keys, { first, last });
  assert.equal(wide.length, exact.length);
  assert.ok(Array.from(wide.hours).every((hours) => hours === hoursBetween(first, last)));
});
