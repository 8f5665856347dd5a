import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { ChecksumError } from './checksum-error.ts';
import { columnOf, valuesOf } from './row.ts';
import { encodeRowPage, openRowPage, PAGE_ROWS } from './row-pages.ts';
import { dayOf } from './row-table.ts';

const origin = { dayStart: dayOf(NOW), batch: 9 };
// One value, up to 16 and more than 16 values per field: without codes, half a byte and a byte per code.
const table = tableFrom(
  someRecords(2 * PAGE_ROWS, (row) => ({
    domain: row % 9 === 0 ? `ü-${row}-"\\.example` : `name-${row}.example`,
    device: `d${row % 16}`,
    companyId: `c${row % 17}`,
    dnssec: row % 2 === 0,
    asn: row * 1000,
    latencyMs: row % 50,
    ...(row % 4 === 0 ? {} : { rule: 'x'.repeat(row * 40), responseCountry: 'DE' }),
  })),
  9,
);
const rows = Uint32Array.from({ length: PAGE_ROWS }, (_, index) => 2 * index);
const bytes = encodeRowPage(table, rows, origin);

test('every row of a page is read with its position and all values', () => {
  const page = openRowPage(bytes, origin);
  assert.equal(page.length, PAGE_ROWS);
  for (const [index, row] of rows.entries()) {
    assert.deepEqual(page.read(index), valuesOf(table, row), `row ${row}`);
    assert.deepEqual(page.at(index), { time: table.times[row], sequence: table.sequences[row] });
  }
  assert.equal(page.valueAt(3, columnOf('device')), 'd6');
});

test('a page that was changed or cut is corrupt', () => {
  for (const place of [0, 20, bytes.length - 1]) {
    const changed = Uint8Array.from(bytes);
    changed[place]! ^= 1;
    assert.throws(() => openRowPage(changed, origin), ChecksumError, String(place));
  }
  for (const length of [0, 40, bytes.length - 1])
    assert.throws(() => openRowPage(bytes.subarray(0, length), origin), ChecksumError, String(length));
});
