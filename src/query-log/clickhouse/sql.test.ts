import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOf, isOneOf, quoted, timeSql } from './sql.ts';

test('quotes and backslashes of a text stay inside it', () => {
  assert.equal(quoted("a'b\\c"), "'a\\'b\\\\c'");
  assert.equal(quoted("\\' OR 1=1 --"), "'\\\\\\' OR 1=1 --'");
});

test('a filter without values has no condition; an empty text matches nothing', () => {
  assert.deepEqual(isOneOf('device', undefined), []);
  assert.deepEqual(isOneOf('device', []), []);
  assert.deepEqual(isOneOf('device', ['']), ['false']);
  assert.deepEqual(isOneOf('device', ['a', '', "b'"]), ["device IN ('a', 'b\\'')"]);
  assert.equal(allOf(['a', 'b']), 'a AND b');
});

test('times are within the range of their type', () => {
  assert.equal(timeSql(1500.7), "fromUnixTimestamp64Milli(1500::Int64, 'UTC')");
  assert.equal(timeSql(-5), "fromUnixTimestamp64Milli(0::Int64, 'UTC')");
  assert.equal(timeSql(8e15), `fromUnixTimestamp64Milli(${Date.UTC(2299, 0)}::Int64, 'UTC')`);
});
