import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { countByMinute, countRows } from './count-rows.ts';
import { queriesIn, type RollupRows, rollupFields, rollupsOf } from './rollup.ts';

const HOUR = 3_600_000;
const hour = bucketStart('hour', NOW);
const fieldOf = ({ fields }: RollupRows, field: (typeof rollupFields)[number], row: number) => {
  const { values, codes } = fields[rollupFields.indexOf(field)]!;
  return values[codes[row]!];
};
const rowsOf = (rollup: RollupRows) =>
  Array.from(rollup.slots, (slot, row) => ({
    slot,
    domain: fieldOf(rollup, 'domain', row),
    device: fieldOf(rollup, 'device', row),
    queries: rollup.queries[row],
    blocked: rollup.blocked[row],
    last: rollup.last[row],
  }));

test('rows are counted by minute, name and key, with one rollup per hour', () => {
  const counted = countRows(
    tableFrom(
      someRecords(4, (row) => ({
        time: hour + [0, 59_999, 60_000, HOUR][row]!,
        domain: row === 3 ? 'b.example' : 'a.example',
        status: row === 2 ? 'RESPONSE_BLOCKED' : 'MODIFIED',
      })),
    ),
  );
  // Keys of a few rows are compared when the counts are merged.
  const rollups = rollupsOf(counted, 'minute');
  const device = 'phone';
  assert.deepEqual(
    rollups.map((rollup) => [rollup.start, rowsOf(rollup)]),
    [
      [
        hour,
        [
          { slot: 0, domain: 'a.example', device, queries: 2, blocked: 0, last: 59_999 },
          { slot: 1, domain: 'a.example', device, queries: 1, blocked: 1, last: 60_000 },
        ],
      ],
      [hour + HOUR, [{ slot: 0, domain: 'b.example', device, queries: 1, blocked: 0, last: 0 }]],
    ],
  );
});

test('rows in descending order have the same counts', () => {
  const records = someRecords(100, (row) => ({ time: hour + row * 70_000, domain: `${row % 7}.example` }));
  const sorted = (given: typeof records) =>
    countRows(tableFrom(given))
      .map(
        (rollup) =>
          [
            rollup.start,
            rowsOf(rollup)
              .map((row) => JSON.stringify(row))
              .sort(),
          ] as const,
      )
      .sort(([one], [other]) => one - other);
  assert.deepEqual(sorted([...records].reverse()), sorted(records));
});

test('rows of an hour that come after those of another hour are counted with the others', () => {
  const counting = countByMinute();
  for (const time of [hour, hour + HOUR, hour]) counting.add(0, 0, time, 1);
  const rollups = counting.rollup(tableFrom(someRecords(1)).keys, ['a.example']);
  assert.deepEqual(rollups.map(queriesIn), [2, 1]);
});

test('above the limit of pairs, the names with the fewest queries are dropped, but no queries', () => {
  const counting = countByMinute();
  const names = Array.from({ length: 40_000 }, (_, name) => `${name}.example`);
  for (const name of names.keys()) counting.add(0, name, hour, name < 10 ? 50 : 1);
  const keys = tableFrom(someRecords(1)).keys;
  const [rollup] = counting.rollup(keys, names);
  assert.equal(queriesIn(rollup!), 40_000 + 10 * 49);
  const rows = rowsOf(rollup!);
  assert.ok(rows.length <= 8193);
  for (const name of names.slice(0, 10)) assert.equal(rows.find(({ domain }) => domain === name)!.queries, 50);
  assert.ok(rows.find(({ domain }) => domain === null)!.queries! > 30_000);
});
