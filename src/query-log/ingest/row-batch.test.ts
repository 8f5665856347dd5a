import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { tableIn } from '../log-engine.ts';
import { latencyMs } from '../segments/latency.ts';
import { dayOf } from '../segments/row-table.ts';
import { LARGE_ROWS } from '../segments/segment.ts';
import {
  addRow,
  type ContentOf,
  createRowBatch,
  encodeBatch,
  encodeShared,
  hasRoomFor,
  isFullBatch,
} from './row-batch.ts';

const DAY = 86_400_000;
const start = dayOf(NOW);

/** The domain of a row is the number of its query part. */
const contentOf: ContentOf = (queryParts, _, isCounted) => {
  const names = Array.from({ length: 10 }, (_, part) => `${part}.example`);
  const { keys, rest } = tableFrom(someRecords(1));
  const codes = new Uint32Array(queryParts.length);
  const pairValues = { pairs: () => codes, names, keys: () => keys };
  return {
    names: { values: names, codes: queryParts },
    keys: { ...keys, codes },
    rest: { ...rest, codes },
    numbers: { pairs: isCounted ? queryParts.slice() : new Uint32Array(0), pairValues },
  };
};
const domainsOf = (batch: ReturnType<typeof encodeBatch>): string => {
  const { names } = tableIn(batch);
  return Array.from(names.codes, (code) => String(names.values[code])[0]).join('');
};

test('a batch has rows of one day and at most 16,384 of them', () => {
  const batch = createRowBatch('home');
  assert.equal(hasRoomFor(batch, 0), true);
  addRow(batch, start + 5, 1, 1, 0);
  assert.deepEqual(
    [start, start + DAY - 1, start + DAY, start - 1].map((time) => hasRoomFor(batch, time)),
    [true, true, false, false],
  );
  for (let row = 1; row < 16_384; row += 1) addRow(batch, start + row, 1, 1, 0);
  assert.deepEqual([batch.rows, isFullBatch(batch), hasRoomFor(batch, start)], [16_384, true, false]);
});

test('few rows are stored raw, in their order, with their latencies', () => {
  const batch = createRowBatch('home');
  for (const [time, part, latency] of [
    [20, 3, 0],
    [5, 1, 8],
    [20, 2, 255],
  ] as const)
    addRow(batch, start + time, part, 0, latency);
  const encoded = encodeBatch(batch, contentOf);
  assert.equal(encoded.content.kind, 'raw');
  assert.deepEqual([encoded.first, encoded.last, encoded.rows, domainsOf(encoded)], [start + 5, start + 20, 3, '312']);
  const { times, latencies } = tableIn(encoded);
  assert.deepEqual(
    [...times].map((time) => time - start),
    [20, 5, 20],
  );
  assert.deepEqual(Array.from(latencies, latencyMs), [null, 7, latencyMs(255)]);
});

test('many rows are a segment, newest first, with the ids that they are counted by', () => {
  const batch = createRowBatch('home');
  for (let row = 0; row < LARGE_ROWS; row += 1) addRow(batch, start + ((row * 7) % 1000), row % 10, 0, 1 + (row % 10));
  const encoded = encodeBatch(batch, contentOf);
  assert.equal(encoded.content.kind, 'encoded');
  const { times, sequences, latencies, names } = tableIn(encoded);
  for (let row = 1; row < times.length; row += 1) {
    assert.ok(times[row - 1]! >= times[row]!);
    assert.equal(sequences[row - 1]! - sequences[row]!, 1);
  }
  // The part of a row and its latency stay together.
  assert.ok(latencies.every((latency, row) => latency === 1 + Number(String(names.values[names.codes[row]!])[0])));
  assert.deepEqual(encoded.numbered!.times, times);
  assert.deepEqual([...encoded.numbered!.pairs.subarray(0, 20)].join(''), domainsOf(encoded).slice(0, 20));
});

test('rows of several accounts follow each other in a shared batch', () => {
  const [one, other] = [createRowBatch('a'), createRowBatch('b')];
  addRow(one, start + 9, 1, 0, 0);
  addRow(one, start + 4, 2, 0, 0);
  addRow(other, start + 6, 3, 0, 0);
  const shared = encodeShared([one, other], contentOf);
  assert.deepEqual(shared.accounts, [
    { account: 'a', start: 0, rows: 2 },
    { account: 'b', start: 2, rows: 1 },
  ]);
  assert.deepEqual([shared.first, shared.last, shared.rows], [start + 4, start + 9, 3]);
});

test('an encoded batch does not change when the next one is encoded', () => {
  const batchOf = (rows: number, part: number) => {
    const batch = createRowBatch('home');
    for (let row = 0; row < rows; row += 1) addRow(batch, start + part + row, part, 0, part);
    return batch;
  };
  for (const rows of [3, LARGE_ROWS]) {
    const first = encodeBatch(batchOf(rows, 1), contentOf);
    const before = structuredClone({
      content: first.content,
      times: first.numbered?.times,
      pairs: first.numbered?.pairs,
    });
    encodeBatch(batchOf(rows, 2), contentOf);
    assert.deepEqual({ content: first.content, times: first.numbered?.times, pairs: first.numbered?.pairs }, before);
  }
});
