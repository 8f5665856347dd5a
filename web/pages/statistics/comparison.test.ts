import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRows, previousPeriod, sortedRows } from './comparison.ts';

test('the previous period is equally long and ends where this one starts', () => {
  assert.deepEqual(previousPeriod({ kind: 'range', from: 100, to: 130 }, 0), { kind: 'range', from: 70, to: 100 });
  assert.deepEqual(previousPeriod({ kind: 'last', minutes: 1 }, 120_000), { kind: 'range', from: 0, to: 60_000 });
});

test('keys are compared by name, hours by index; new rows have no change', () => {
  const before = [{ key: 'a', queries: 4, blocked: 0 }];
  const rows = [
    { key: 'b', queries: 1, blocked: 0 },
    { key: 'a', queries: 6, blocked: 3 },
  ];
  assert.deepEqual(compareRows('domains', rows, before), [
    { key: 'b', queries: 1, blocked: 0, before: 0 },
    { key: 'a', queries: 6, blocked: 3, before: 4, change: 0.5 },
  ]);
  assert.deepEqual(compareRows('time', rows.slice(1), [{ key: 'x', queries: 3 }])[0]!.change, 1);
});

test('rows are sorted by any column, both ways', () => {
  const rows = [
    { key: 'b', queries: 1, blocked: 1 },
    { key: 'a', queries: 6, blocked: 3 },
    { key: 'c', queries: 3, blocked: 0 },
  ];
  const keys = (column: 'key' | 'queries' | 'share', isUp: boolean): string =>
    sortedRows(rows, { column, isUp }, (key) => key, 'domains')
      .map(({ key }) => key)
      .join('');
  assert.deepEqual([keys('key', true), keys('queries', false), keys('share', false)], ['abc', 'acb', 'bac']);
});
