import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { bitmapLookup, encodeBitmapIndex, openBitmaps, rowsWithValues } from './bitmap-index.ts';
import { ChecksumError } from './checksum-error.ts';
import type { Value } from './columns.ts';
import type { KeyField } from './row.ts';

const ROWS = 400;
// The status has long runs, the device one bit per row, the company a few rows.
const table = tableFrom(
  someRecords(ROWS, (row) => ({
    status: row < 300 ? 'NONE' : 'REQUEST_BLOCKED',
    device: row % 2 === 0 ? 'phone' : 'tv',
    companyId: row === 0 || row === ROWS - 1 ? 'ends' : 'other',
  })),
);
const rowNumbers = Uint32Array.from({ length: ROWS }, (_, row) => row);
const parts = new Map(encodeBitmapIndex(table, rowNumbers, new Uint32Array(0)));

function find(field: KeyField, values: readonly Value[], given?: ReturnType<typeof rowsWithValues>) {
  const lookup = bitmapLookup([field, new Set(values)]);
  const opened = lookup.parts.flatMap((part) => parts.get(part) ?? []).map(openBitmaps);
  return rowsWithValues(opened, lookup.hashes, given);
}
const all = (isWanted: (row: number) => boolean): number[] => [...rowNumbers].filter(isWanted);

test('rows are found whether a value has runs, one bit per row or single rows', () => {
  assert.deepEqual(
    [...find('status', ['REQUEST_BLOCKED']).rows],
    all((row) => row >= 300),
  );
  assert.deepEqual(
    [...find('device', ['tv']).rows],
    all((row) => row % 2 === 1),
  );
  assert.deepEqual([...find('companyId', ['ends']).rows], [0, ROWS - 1]);
  assert.deepEqual([...find('companyId', ['missing']).rows], []);
});

test('rows of several values are in ascending order', () => {
  assert.deepEqual([...find('device', ['tv', 'phone']).rows], [...rowNumbers]);
});

test('a further predicate leaves those of the given rows that match', () => {
  const odd = find('device', ['tv']);
  assert.deepEqual(
    [...find('status', ['REQUEST_BLOCKED'], odd).rows],
    all((row) => row >= 300 && row % 2 === 1),
  );
  const blocked = find('status', ['REQUEST_BLOCKED']);
  assert.deepEqual([...find('device', ['phone'], blocked).rows].slice(0, 2), [300, 302]);
  assert.deepEqual([...find('companyId', ['ends'], blocked).rows], [ROWS - 1]);
});

test('rows after those in row pages stand for frequent tuples', () => {
  const [inPages, common] = [rowNumbers.subarray(0, 10), rowNumbers.subarray(10, 12)];
  const lookup = bitmapLookup(['device', new Set(['phone'])]);
  const bodies = new Map(encodeBitmapIndex(table, inPages, common));
  const opened = lookup.parts.map((part) => openBitmaps(bodies.get(part)!));
  const { rows, rowsInPages } = rowsWithValues(opened, lookup.hashes);
  assert.deepEqual([[...rows], rowsInPages], [[0, 2, 4, 6, 8, 10], 10]);
});

test('a part that was changed or cut is corrupt', () => {
  const [part] = bitmapLookup(['device', new Set(['phone'])]).parts;
  const bytes = parts.get(part!)!;
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  assert.deepEqual(openBitmaps(moved.subarray(1)), openBitmaps(bytes));
  for (const place of [0, 4, bytes.length - 1]) {
    const changed = Uint8Array.from(bytes);
    changed[place]! ^= 1;
    assert.throws(() => openBitmaps(changed), ChecksumError, String(place));
  }
  assert.throws(() => openBitmaps(bytes.subarray(0, 12)), ChecksumError);
});
