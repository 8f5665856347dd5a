import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PackedRecords } from '../query-log.ts';
import { createSpool } from './retry-buffer.ts';

const rows = (account: string, bytes: number, first = 0): PackedRecords => ({
  account,
  first,
  last: first,
  rows: 1,
  content: { kind: 'as they came', fresh: new Uint8Array(bytes) },
});

test('when there is no more room, the account that has most loses its newest', () => {
  const lost: PackedRecords[] = [];
  const spool = createSpool((records) => lost.push(records), 10_000);
  const greedy = Array.from({ length: 8 }, () => rows('greedy', 1000));
  spool.put(rows('modest', 1000));
  for (const each of greedy) spool.put(each);
  spool.put(rows('modest', 1000));
  assert.ok(lost.length > 0);
  assert.ok(lost.every(({ account }) => account === 'greedy'));
  assert.equal(lost[0], greedy.at(-1));
  assert.equal(spool.size().rows + lost.length, 10);
});

test('what is taken together belongs to one week, and what is put back comes first again', () => {
  const spool = createSpool(() => assert.fail());
  const [one, two, later] = [rows('a', 1), rows('b', 1), rows('a', 1, 8 * 86_400_000)];
  for (const each of [one, two, later]) spool.put(each);
  const taken = spool.take(1e6);
  assert.deepEqual(taken, [one, two]);
  spool.putBack(taken);
  assert.deepEqual(spool.take(1e6), [one, two]);
  assert.deepEqual(spool.take(1e6), [later]);
  assert.deepEqual(spool.size(), { bytes: 0, rows: 0, batches: 0 });
});

test('what waits for a log that does not keep up holds nothing but its rows', () => {
  const numbers = { times: new Float64Array(1), pairs: new Uint32Array(1) };
  const numbered = {
    ...numbers,
    meaning: { pairs: () => new Uint32Array(1), names: [], keys: () => ({ length: 0, fields: [] }) },
  };
  const spool = createSpool(() => assert.fail());
  const all = Array.from({ length: 8 }, () => ({ ...rows('a', 2 ** 20), numbered }));
  for (const each of all) spool.put(each);
  const taken = spool.take(1e9);
  assert.deepEqual(
    taken.map((records) => records.numbered === numbered),
    [true, true, true, true, false, false, false, false],
  );
  spool.putBack(taken);
  assert.ok(spool.take(1e9).every((records) => !('numbered' in records)));
});
