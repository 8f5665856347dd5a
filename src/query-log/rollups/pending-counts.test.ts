import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { createPendingCounts, type PairValues } from './pending-counts.ts';
import { queriesIn, rollupFields } from './rollup.ts';

const hour = bucketStart('hour', NOW);
const names = ['a.example', 'b.example'];
/** Pair 0 and 1 have the names with these numbers, pair 5000 the first one again. */
const pairValues = (): PairValues => {
  const { keys } = tableFrom(someRecords(1));
  const ofNames = new Uint32Array(5001);
  ofNames[1] = 1;
  return { pairs: (place) => (place === 0 ? new Uint32Array(5001) : ofNames), names, keys: () => keys };
};
const numbered = (values: PairValues, rows: readonly (readonly [pair: number, after: number])[]) => ({
  pairValues: values,
  pairs: Uint32Array.from(rows, ([pair]) => pair),
  times: Float64Array.from(rows, ([, after]) => hour + after),
});

test('batches of one table of ids are counted together, by minute and name', () => {
  const pending = createPendingCounts();
  const values = pairValues();
  pending.add(
    'home',
    1,
    numbered(values, [
      [0, 0],
      [1, 1],
      [0, 59_000],
      [0, 61_000],
    ]),
  );
  pending.add(
    'home',
    2,
    numbered(values, [
      [1, 5],
      [5000, 60_000],
    ]),
  );
  const [group, ...others] = pending.countsOf('home', new Set([1, 2, 3]));
  assert.deepEqual([others.length, [...group!.batches]], [0, [1, 2]]);
  const [rollup] = group!.rollup;
  const { values: domains, codes } = rollup!.fields[rollupFields.indexOf('domain')]!;
  const rows = Array.from(rollup!.slots, (slot, row) => [
    slot,
    domains[codes[row]!],
    rollup!.queries[row],
    rollup!.last[row],
  ]);
  assert.deepEqual(rows, [
    [0, 'a.example', 2, 59_000],
    [0, 'b.example', 2, 5],
    [1, 'a.example', 2, 61_000],
  ]);
});

test('counts grow with later batches, and are another group after ids were reassigned', () => {
  const pending = createPendingCounts();
  const values = pairValues();
  const sums = (batches: readonly number[]): number[] =>
    pending
      .countsOf('home', new Set(batches))
      .map(({ rollup }) => rollup.reduce((sum, each) => sum + queriesIn(each), 0));
  pending.add('home', 1, numbered(values, [[0, 0]]));
  assert.deepEqual(sums([1]), [1]);
  pending.add('home', 2, numbered(values, [[0, 0]]));
  assert.deepEqual(sums([1, 2]), [2]);
  pending.add('home', 3, numbered(pairValues(), [[1, 0]]));
  assert.deepEqual(sums([1, 2, 3]), [2, 1]);
  // Another node has flushed the second batch: the counts of its group are not used.
  assert.deepEqual(sums([1, 3]), [1]);
});

test('accounts are separate, deleted on request, and the least recently used is dropped', () => {
  const pending = createPendingCounts();
  const values = pairValues();
  const has = (account: string): boolean => pending.countsOf(account, new Set([1])).length === 1;
  for (let number = 0; number < 16; number += 1) pending.add(`account-${number}`, 1, numbered(values, [[0, 0]]));
  assert.ok(has('account-0') && !has('other'));
  pending.add('account-0', 1, numbered(values, [[0, 0]]));
  pending.add('another', 1, numbered(values, [[0, 0]]));
  assert.deepEqual([has('account-0'), has('account-1'), has('another')], [true, false, true]);
  pending.deleteAccount('another');
  assert.equal(has('another'), false);
});
