import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRows, sortedRows } from './comparison.ts';

test('keys are compared by name, hours by index; new rows have no change', () => {
  const before = [{ key: 'a', queries: 4, blocked: 0 }];
  const rows = [
    { key: 'b', queries: 1, blocked: 0 },
    { key: 'a', queries: 6, blocked: 3 },
  ];
  assert.deepEqual(compareRows('domains', rows, before, 0), [
    { key: 'b', queries: 1, blocked: 0, before: 0 },
    { key: 'a', queries: 6, blocked: 3, before: 4, change: 0.5 },
  ]);
  assert.deepEqual(compareRows('time', rows.slice(1), [{ key: 'x', queries: 3 }], 0)[0]!.change, 1);
});

test('an hour that is not over has no change', () => {
  const hours = [0, 3_600_000].map((time) => ({ key: String(time), queries: 2 }));
  const changes = (now: number) => compareRows('time', hours, hours, now).map(({ change }) => change);
  assert.deepEqual(changes(7_199_999), [0, undefined]);
  assert.deepEqual(changes(7_200_000), [0, 0]);
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
