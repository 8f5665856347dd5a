import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { recordsIn, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { chosenRows, cutByDay, dayOf, joined } from './row-table.ts';

const DAY = 86_400_000;
const one = someRecords(20, (row) => ({ domain: `a-${row}.example`, device: `d${row % 3}`, latencyMs: row }));
const other = someRecords(30, (row) => ({ domain: `a-${row % 25}.example`, companyId: `c${row}`, rcode: row % 2 }));

test('joined tables have the rows of all of them, and each value once', () => {
  const table = joined([tableFrom(one, 1), tableFrom(other, 2)]);
  assert.deepEqual(recordsIn(table), [...one, ...other]);
  assert.equal(table.names.values.length, 25);
  assert.equal(new Set(table.sequences).size, 50);
  const single = tableFrom(one);
  assert.equal(joined([single]), single);
});

test('chosen rows are in the given order, without values that no row has', () => {
  const table = tableFrom(one);
  const some = chosenRows(table, Uint32Array.of(7, 4));
  assert.deepEqual(recordsIn(some), [one[7], one[4]]);
  assert.deepEqual(some.names.values, ['a-7.example', 'a-4.example']);
  assert.equal(some.keys.length, 1);
  const all = chosenRows(table, Uint32Array.from(table.times.keys()).reverse());
  assert.deepEqual(recordsIn(all), [...one].reverse());
});

test('rows are cut by UTC day and size, newest first', () => {
  const midnight = dayOf(NOW);
  const records = [midnight - 1, midnight, midnight - DAY, midnight + 5, midnight + 5].map((time, row) =>
    aRecord({ time, domain: `${row}.example` }),
  );
  const cut = cutByDay(tableFrom(records), 2);
  assert.deepEqual(
    cut.map((table) => recordsIn(table).map(({ domain }) => domain[0])),
    [['4', '3'], ['1'], ['0', '2']].map((rows) => rows),
  );
});

test('rows of one millisecond are ordered by sequence, also if tables were joined in another order', () => {
  const at = (domain: string) => [aRecord({ domain })];
  const [early, late] = [tableFrom(at('early.example'), 3), tableFrom(at('late.example'), 4)];
  for (const tables of [
    [early, late],
    [late, early],
  ]) {
    const [cut] = cutByDay(joined(tables), 10);
    assert.deepEqual(
      recordsIn(cut!).map(({ domain }) => domain),
      ['late.example', 'early.example'],
    );
  }
});
