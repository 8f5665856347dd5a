import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../test/support/query-log/logs.ts';
import { recordsIn, someRecords } from '../../test/support/query-log/tables.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import {
  accountBatches,
  type EncodedBatch,
  encodeBatches,
  isShared,
  type LogEngine,
  shareBatches,
  tableIn,
  toLogStore,
} from './log-engine.ts';

const DAY = 86_400_000;
const recordsOf = (batches: readonly EncodedBatch[]): QueryRecord[] =>
  accountBatches(batches).flatMap((batch) => recordsIn(tableIn(batch), batch.account));
const byText = (records: readonly QueryRecord[]): string[] =>
  records
    .map((record) =>
      JSON.stringify(Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))),
    )
    .sort();

test('records become one batch per account and day, of at most 4096 rows', () => {
  const records = [
    aRecord({ time: NOW - 5 }),
    aRecord({ time: NOW - DAY }),
    aRecord({ account: 'office', time: NOW - 9 }),
    aRecord({ time: NOW - 7 }),
  ];
  const batches = encodeBatches(records);
  assert.deepEqual(
    batches.map(({ account, rows, first, last }) => [account, rows, NOW - first, NOW - last]),
    [
      ['home', 2, 7, 5],
      ['home', 1, DAY, DAY],
      ['office', 1, 9, 9],
    ],
  );
  assert.deepEqual(byText(recordsOf(batches)), byText(records));
  assert.deepEqual(
    encodeBatches(someRecords(5000)).map(({ rows }) => rows),
    [4096, 904],
  );
});

test('small batches are shared, large ones are not, and both have the same rows', () => {
  const records = [
    ...someRecords(300),
    ...Array.from({ length: 20 }, (_, number) => aRecord({ account: `account-${number}`, latencyMs: number })),
  ];
  const batches = shareBatches(encodeBatches(records));
  assert.equal(batches.filter((batch) => !isShared(batch)).length, 1);
  assert.ok(batches.length <= 5);
  assert.deepEqual(byText(recordsOf(batches)), byText(records));
  assert.deepEqual(byText(recordsOf(shareBatches(batches))), byText(records));
});

test('the retention of a store has a cutoff for every account', async () => {
  const calls: unknown[] = [];
  const engine = {
    accounts: async () => ['home', 'office'],
    applyRetentionFrom: async (cutoffs: ReadonlyMap<string, number>) => void calls.push([...cutoffs]),
  } as unknown as LogEngine;
  await toLogStore(engine).applyRetention((account) => account.length);
  const cutoffs = [
    ['home', 4],
    ['office', 6],
  ];
  assert.deepEqual(calls, [cutoffs]);
});
