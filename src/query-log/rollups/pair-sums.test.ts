import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPair, pairColumns, pairSums, withLargest } from './pair-sums.ts';

const rowsOf = (sums: ReturnType<typeof pairSums>): number[][] => {
  const { ones, others, queries, last } = pairColumns(sums);
  return Array.from(ones, (one, pair) => [one, others[pair]!, queries[pair]!, last[pair]!]);
};

test('queries of a pair are added, and its last time is the latest', () => {
  const sums = pairSums();
  addPair(sums, 1, 2, 3, 50);
  addPair(sums, 2, 1, 1, 10);
  addPair(sums, 1, 2, 4, 20);
  assert.deepEqual(rowsOf(sums), [
    [1, 2, 7, 50],
    [2, 1, 1, 10],
  ]);
});

test('sums are exact with more pairs than expected', () => {
  const sums = pairSums();
  for (const round of [1, 2]) for (let pair = 0; pair < 3000; pair += 1) addPair(sums, pair, 7, round, pair);
  assert.deepEqual(
    rowsOf(sums),
    Array.from({ length: 3000 }, (_, pair) => [pair, 7, 3, pair]),
  );
});

test('pairs with few queries are added up under another id', () => {
  const sums = pairSums();
  addPair(sums, 1, 10, 5, 1);
  addPair(sums, 1, 11, 1, 9);
  addPair(sums, 1, 12, 2, 3);
  addPair(sums, 2, 11, 1, 4);
  assert.deepEqual(rowsOf(withLargest(sums, 1, 99)), [
    [1, 10, 5, 1],
    [1, 99, 3, 9],
    [2, 99, 1, 4],
  ]);
});
