import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { countRows } from './count-rows.ts';
import { type RollupRows, rollupFields } from './rollup.ts';
import { countsOf, eachRollup, emptySums, groupSums, type RollupQuery } from './sums.ts';

const MINUTE = 60_000;
const hour = bucketStart('hour', NOW);
const DEVICE = rollupFields.indexOf('device');

const rollupOf = (count: number, start = hour): RollupRows =>
  countRows(
    tableFrom(
      someRecords(count, (row) => ({
        time: start + row * MINUTE,
        device: `d${row % 2}`,
        companyId: `c${row % 3}`,
        status: row === 0 ? 'REQUEST_BLOCKED' : 'NONE',
      })),
    ),
  )[0]!;

function queryOf(rollups: readonly RollupRows[], first: number, last: number, filters = {}): RollupQuery {
  const buckets = { unit: 'minute', width: MINUTE, first, last } as const;
  return { rollups, buckets, resultBuckets: buckets, query: { from: first, to: last, ...filters } };
}

function byDevice(counted: RollupQuery) {
  const sums = emptySums<string>();
  eachRollup(counted, (rollup, isChosen) => {
    const { values, codes } = rollup.fields[DEVICE]!;
    const groups = groupSums(rollup, values.length);
    groups.add(codes, isChosen);
    groups.addTo(sums, (code) => values[code] as string);
  });
  return Object.fromEntries(Array.from(sums.byName, ([name, sum]) => [name, { ...countsOf(sum), last: sum.last }]));
}

test('sums of several rollups are added, and companies are counted once', () => {
  const rollups = [rollupOf(6), rollupOf(4, hour + 60 * MINUTE)];
  assert.deepEqual(byDevice(queryOf(rollups, hour, hour + 119 * MINUTE)), {
    d0: { queries: 5, blocked: 2, companies: 3, last: hour + 62 * MINUTE },
    d1: { queries: 5, blocked: 0, companies: 3, last: hour + 63 * MINUTE },
  });
});

test('only buckets of the range and rows that match the filters are counted', () => {
  const rollups = [rollupOf(10)];
  const part = byDevice(queryOf(rollups, hour + MINUTE, hour + 2 * MINUTE));
  assert.deepEqual(part, {
    d1: { queries: 1, blocked: 0, companies: 1, last: hour + MINUTE },
    d0: { queries: 1, blocked: 0, companies: 1, last: hour + 2 * MINUTE },
  });
  const filtered = byDevice(queryOf(rollups, hour, hour + 59 * MINUTE, { devices: ['d0'], companies: ['c0'] }));
  assert.deepEqual(Object.keys(filtered), ['d0']);
  assert.equal(filtered['d0']!.queries, 2);
  assert.deepEqual(byDevice(queryOf(rollups, hour, hour + 59 * MINUTE, { devices: ['missing'] })), {});
});

test('companies of many groups are counted without flags for each', () => {
  const rollup = rollupOf(50);
  const marked = groupSums(rollup, 2);
  // Too many groups for one flag per group and company.
  const listed = groupSums(rollup, 2 ** 17);
  const counts = [marked, listed].map((groups) => {
    groups.add(rollup.fields[DEVICE]!.codes, undefined);
    const sums = emptySums<number>();
    groups.addTo(sums, (group) => group);
    return [...sums.byName].map(([group, sum]) => [group, countsOf(sum)]);
  });
  assert.deepEqual(counts[1], counts[0]);
  assert.deepEqual(counts[0]![0], [0, { queries: 25, blocked: 1, companies: 3 }]);
});
