import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterCheck } from './after-check.ts';
import type { ListState, Version } from './list-state.ts';

const version = (name: string): Version => ({
  name,
  source: 'https://lists.example/a.txt',
  fetchedAt: 1,
  rules: 10,
  ignored: 0,
  invalid: 0,
  bytes: 120,
  textBytes: 200,
});
const seen = [
  { kind: 'url', source: 'https://lists.example/a.txt', url: 'https://lists.example/a.txt', etag: '"1"' },
] as const;
const state: ListState = { id: 'a', inUse: version('old'), seen, checkedAt: 5, triedAt: 5 };
const troubled: ListState = {
  ...state,
  triedAt: 7,
  problem: { kind: 'failed', why: 'no answer', since: 7, times: 1 },
  shrunk: { since: 6, checks: 1 },
};
const buffer = new SharedArrayBuffer(8);

test('a check of an unchanged list records its time and clears the problem', () => {
  assert.deepEqual(afterCheck(troubled, { kind: 'unchanged', seen: undefined }, 9), {
    ...state,
    checkedAt: 9,
    triedAt: 9,
  });
});

test('a new version replaces the old one, with the validators of its source', () => {
  const after = afterCheck(troubled, { kind: 'new', version: version('new'), buffer, seen: undefined }, 9);
  assert.deepEqual(after, { id: 'a', inUse: version('new'), seen: undefined, checkedAt: 9, triedAt: 9 });
});

test('a failure leaves the version in use and records the time of the first failure and their number', () => {
  const after = afterCheck(troubled, { kind: 'failed', why: 'HTTP 500: Internal Server Error' }, 9);
  assert.deepEqual(after, {
    ...troubled,
    triedAt: 9,
    problem: { kind: 'failed', why: 'HTTP 500: Internal Server Error', since: 7, times: 2 },
  });
});

test('a rejected version leaves the current one in use, and is counted', () => {
  const shrunk = { since: 6, checks: 2 };
  const after = afterCheck(troubled, { kind: 'not used', why: 'it has shrunk', shrunk }, 9);
  assert.deepEqual(after, {
    ...troubled,
    triedAt: 9,
    shrunk,
    problem: { kind: 'not used', why: 'it has shrunk', since: 9, times: 1 },
  });
});

test('a failure between two checks of a small list does not change the counters', () => {
  assert.deepEqual(afterCheck(troubled, { kind: 'failed', why: 'no answer' }, 9).shrunk, { since: 6, checks: 1 });
});
