import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { recordsIn, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { ChecksumError } from './checksum-error.ts';
import { encodeRecords } from './encode-records.ts';
import { MAX_BATCH_ROWS, readRawRows } from './raw-rows.ts';

const records: readonly QueryRecord[] = someRecords(300, (row) => ({
  // More than 256 names need two bytes per code; times need not be in order.
  domain: row % 7 === 0 ? `bücher-"${row}".example` : `name-${row}.example`,
  time: NOW - ((row * 7919) % 86_400) * 1000,
  rcode: row % 3,
  dnssec: row % 2 === 0,
  latencyMs: row % 100,
  ...(row % 5 === 0 ? { responseCountry: 'DE', asn: 64_500 + row, clientSubnet: '192.0.2.0/24' } : {}),
}));

test('rows are read as they were encoded, wherever their bytes begin', () => {
  const bytes = encodeRecords(records);
  for (const offset of [0, 1, 2, 4]) {
    const moved = new Uint8Array(bytes.length + offset);
    moved.set(bytes, offset);
    assert.deepEqual(recordsIn(readRawRows(moved.subarray(offset), 1)), records, `offset ${offset}`);
  }
});

test('a single row and rows without any optional value are read', () => {
  for (const few of [[aRecord()], someRecords(15), someRecords(16)]) assert.deepEqual(recordsIn(tableFrom(few)), few);
});

test('sequences end in the batch number, so rows of a later batch come after them', () => {
  const [one, next] = [tableFrom(someRecords(3), 10), tableFrom(someRecords(3), 11)];
  assert.deepEqual(
    [...one.sequences],
    [0, 1, 2].map((row) => 10 * MAX_BATCH_ROWS + row),
  );
  assert.ok(next.sequences[0]! > one.sequences[2]!);
  // Rows of two batches in one segment, which has the number of the later one.
  const two = tableFrom(someRecords(MAX_BATCH_ROWS + 1), 11);
  assert.equal(two.sequences[0], 10 * MAX_BATCH_ROWS);
  assert.equal(two.sequences.at(-1), 11 * MAX_BATCH_ROWS);
});

const withoutLatency = ({ latencyMs, ...others }: QueryRecord): QueryRecord => {
  assert.ok(latencyMs !== undefined);
  return others;
};

test('rows of versions that did not measure latencies are read without them', () => {
  const withLatencies = encodeRecords(records);
  const HAS_LATENCIES = 49;
  const bytes = withLatencies.slice(0, withLatencies.length - records.length);
  assert.equal(bytes[HAS_LATENCIES], 1);
  bytes[HAS_LATENCIES] = 0;
  new DataView(bytes.buffer).setUint32(0, crc32(bytes.subarray(4)), true);
  assert.deepEqual(recordsIn(readRawRows(bytes, 1)), records.map(withoutLatency));
});

test('bytes that were changed or cut are corrupt', () => {
  const bytes = encodeRecords(records);
  for (const place of [0, 4, 60, bytes.length - 1]) {
    const changed = Uint8Array.from(bytes);
    changed[place]! ^= 1;
    assert.throws(() => readRawRows(changed, 1), ChecksumError, String(place));
  }
  for (const length of [0, 20, bytes.length - 4])
    assert.throws(() => readRawRows(bytes.subarray(0, length), 1), ChecksumError, String(length));
});
