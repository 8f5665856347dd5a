import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transform } from '../index.ts';

const insert = (lines: readonly string[]): string[] => transform(lines, ['InsertFinalNewLine']);

test('a list ends with an empty line, which is a line break in the file', () => {
  assert.deepEqual(insert(['||a.com^', '||b.com^']), ['||a.com^', '||b.com^', '']);
});

test('a list that ends with a blank line is not changed', () => {
  assert.deepEqual(insert(['||a.com^', '']), ['||a.com^', '']);
  assert.deepEqual(insert(['']), ['']);
  assert.deepEqual(insert(['||a.com^', ' \u00a0']), ['||a.com^', ' \u00a0']);
});

test('an empty list gets one line', () => {
  assert.deepEqual(insert([]), ['']);
});
