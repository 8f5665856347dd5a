import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord } from '../../../test/support/query-log/logs.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import {
  type AccountBatch,
  accountBatches,
  type EncodedBatch,
  encodeBatches,
  shareBatches,
  tableIn,
} from '../log-engine.ts';
import { recordOf, valuesOf } from '../segments/row.ts';
import { createRetryBuffer } from './retry-buffer.ts';

const rows = (account: string, bytes: number, first = 0): AccountBatch => ({
  account,
  first,
  last: first,
  rows: 1,
  content: { kind: 'raw', raw: new Uint8Array(bytes) },
});

test('when there is no more room, the account that has most loses its newest', () => {
  const lost: EncodedBatch[] = [];
  const retryBuffer = createRetryBuffer((records) => lost.push(records), 10_000);
  const greedy = Array.from({ length: 8 }, () => rows('greedy', 1000));
  retryBuffer.put(rows('modest', 1000));
  for (const each of greedy) retryBuffer.put(each);
  retryBuffer.put(rows('modest', 1000));
  assert.ok(lost.length > 0);
  assert.ok(lost.every((batch) => (batch as AccountBatch).account === 'greedy'));
  assert.equal(lost[0], greedy.at(-1));
  assert.equal(retryBuffer.size().rows + lost.length, 10);
});

test('rows taken together belong to one week, and rows put back come first again', () => {
  const retryBuffer = createRetryBuffer(() => assert.fail());
  const [one, two, later] = [rows('a', 1), rows('b', 1), rows('a', 1, 8 * 86_400_000)];
  for (const each of [one, two, later]) retryBuffer.put(each);
  const taken = retryBuffer.take(1e6);
  assert.deepEqual(taken, [one, two]);
  retryBuffer.putBack(taken);
  assert.deepEqual(retryBuffer.take(1e6), [one, two]);
  assert.deepEqual(retryBuffer.take(1e6), [later]);
  assert.deepEqual(retryBuffer.size(), { bytes: 0, rows: 0, batches: 0 });
});

test('rows that wait for a slow log hold no other memory', () => {
  const numbers = { times: new Float64Array(1), pairs: new Uint32Array(1) };
  const numbered = {
    ...numbers,
    pairValues: { pairs: () => new Uint32Array(1), names: [], keys: () => ({ length: 0, fields: [] }) },
  };
  const retryBuffer = createRetryBuffer(() => assert.fail());
  const all = Array.from({ length: 8 }, () => ({ ...rows('a', 2 ** 20), numbered }));
  for (const each of all) retryBuffer.put(each);
  const taken = retryBuffer.take(1e9);
  assert.deepEqual(
    taken.map((records) => (records as AccountBatch).numbered === numbered),
    [true, true, true, true, false, false, false, false],
  );
  retryBuffer.putBack(taken);
  assert.ok(retryBuffer.take(1e9).every((records) => !('numbered' in records)));
});

test('rows of one account are removed from shared batches, and those of the others stay', () => {
  const retryBuffer = createRetryBuffer(() => assert.fail());
  const records = Array.from({ length: 40 }, (_, row) => aRecord({ account: `account-${row % 20}`, type: row }));
  const batches = shareBatches(encodeBatches(records));
  assert.ok(batches.length < 20);
  for (const batch of batches) retryBuffer.put(batch);
  assert.equal(retryBuffer.remove('account-3'), 2);
  assert.equal(retryBuffer.remove('account-3'), 0);
  assert.equal(retryBuffer.size().rows, 38);
  const left = accountBatches(retryBuffer.take(1e9)).flatMap((batch) => {
    const table = tableIn(batch);
    return Array.from({ length: batch.rows }, (_, row) =>
      recordOf(batch.account, table.times[row]!, valuesOf(table, row)),
    );
  });
  const byType = (one: QueryRecord, other: QueryRecord): number => one.type - other.type;
  assert.deepEqual(
    left.sort(byType),
    records.filter(({ account }) => account !== 'account-3'),
  );
  assert.deepEqual(retryBuffer.size(), { bytes: 0, rows: 0, batches: 0 });
});
