import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { countRows } from './count-rows.ts';
import {
  bounded,
  encodeRollup,
  largest,
  mergedRollup,
  openRollup,
  queriesIn,
  type RollupRows,
  rollupFields,
  rollupStart,
  rollupsOf,
} from './rollup.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const hour = bucketStart('hour', NOW);
const counted = (records: readonly QueryRecord[]): readonly RollupRows[] => countRows(tableFrom(records));

/** Each row as text: slot, domain, device, queries, blocked and time of the last query. */
const rowsOf = ({ fields, slots, queries, blocked, last, start }: RollupRows): string[] =>
  Array.from(slots, (slot, row) => {
    const [domain, device] = (['domain', 'device'] as const).map((field) => {
      const { values, codes } = fields[rollupFields.indexOf(field)]!;
      return values[codes[row]!];
    });
    return [slot, domain, device, queries[row], blocked[row], start + last[row]! - hour].join(' ');
  }).sort();

const records = someRecords(6, (row) => ({
  time: hour + row * 20_000,
  domain: row < 4 ? 'a.example' : 'b.example',
  status: row === 0 ? 'REQUEST_BLOCKED' : 'NONE',
}));

test('minutes of an hour become one hour, and hours of a day one day', () => {
  const hours = rollupsOf(counted(records), 'hour');
  assert.deepEqual(hours.map(rowsOf), [['0 a.example phone 4 1 60000', '0 b.example phone 2 0 100000']]);
  const next = counted(records.map((record) => ({ ...record, time: record.time + HOUR })));
  const days = rollupsOf([...hours, ...rollupsOf(next, 'hour')], 'day');
  assert.deepEqual(
    days.map((day) => [day.start, queriesIn(day)]),
    [[bucketStart('day', NOW), 12]],
  );
  const otherDay = counted(records.map((record) => ({ ...record, time: record.time + DAY })));
  assert.equal(rollupsOf([...hours, ...rollupsOf(otherDay, 'hour')], 'day').length, 2);
});

test('stored counts and new ones are merged by minute and value', () => {
  const [known] = rollupsOf(counted(records), 'minute');
  const [added] = rollupsOf(counted(records.slice(3)), 'minute');
  assert.deepEqual(rowsOf(mergedRollup('minute', known, added!)), [
    '0 a.example phone 3 1 40000',
    '1 a.example phone 2 0 60000',
    '1 b.example phone 4 0 100000',
  ]);
  assert.deepEqual(rowsOf(mergedRollup('minute', undefined, added!)), rowsOf(added!));
});

test('a rollup is read unchanged, without unused values', () => {
  const [rollup] = rollupsOf(counted(records), 'minute');
  const unused = {
    ...rollup!,
    fields: rollup!.fields.map(({ values, codes }) => ({ values: [...values, 'x'], codes })),
  };
  const read = openRollup(hour, encodeRollup(unused));
  assert.deepEqual(rowsOf(read), rowsOf(rollup!));
  assert.ok(read.fields.every(({ values }) => !values.includes('x') || values.length === 2));
});

test('above the limit, the rarest rows lose their domain, and sums are unchanged', () => {
  const many = someRecords(4090, (row) => ({
    time: hour + (row % 3600) * 1000,
    domain: row < 1000 ? 'frequent.example' : `rare-${row}.example`,
    device: `d${row % 2}`,
  }));
  const [all] = rollupsOf(counted(many), 'hour');
  assert.ok(all!.length > 2048);
  const left = bounded(all!, 'hour');
  assert.ok(left.length <= 2048);
  assert.equal(queriesIn(left), many.length);
  const texts = rowsOf(left).map((row) => row.split(' '));
  const frequent = texts.filter(([, domain]) => domain === 'frequent.example');
  assert.deepEqual(
    frequent.map(([, , device, queries]) => [device, queries]),
    [
      ['d0', '500'],
      ['d1', '500'],
    ],
  );
  const dropped = texts.filter(([, domain]) => domain === '');
  assert.deepEqual(new Set(dropped.map(([, , device]) => device)), new Set(['d0', 'd1']));
  assert.equal(dropped.length, 2);
  assert.equal(bounded(left, 'hour'), left);
});

test('the rows with the most queries are flagged, with as many of the last tie as fit', () => {
  const flagged = (queries: readonly number[], count: number): string =>
    largest({ queries, length: queries.length }, count).join('');
  assert.equal(flagged([1, 5, 3, 5], 2), '0101');
  assert.equal(flagged([2, 2, 2, 9], 3), '1101');
  // Counts from 256 on are sorted instead of counted.
  assert.equal(flagged([300, 1000, 300, 2], 2), '1100');
  assert.equal(flagged([300, 1000, 1, 2], 3), '1101');
  assert.equal(flagged([1, 2], 5), '11');
});

test('minutes and hours are stored by hour, days by day', () => {
  assert.equal(rollupStart('minute', hour + 5 * MINUTE), hour);
  assert.equal(rollupStart('hour', hour + 5 * MINUTE), hour);
  assert.equal(rollupStart('day', hour), bucketStart('day', hour));
});
