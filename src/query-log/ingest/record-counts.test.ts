import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecordCounts, openRecordCounts } from './record-counts.ts';

test('records that were taken and neither stored nor dropped wait; a full ring drops before', () => {
  const counts = openRecordCounts(createRecordCounts(1));
  counts.sawRing(0, { written: 10, dropped: 4 });
  counts.countTaken(10);
  counts.countStored(3);
  counts.drop('cleared', 2);
  assert.deepEqual([counts.written(), counts.taken(), counts.stored(), counts.waiting()], [10, 10, 3, 5]);
  assert.deepEqual([counts.dropped()['ring full'], counts.dropped().cleared], [4, 2]);
});

test('counters of rings are added once, also after they wrap', () => {
  const counts = openRecordCounts(createRecordCounts(2));
  counts.sawRing(0, { written: 2 ** 32 - 5, dropped: 0 });
  counts.sawRing(0, { written: 2 ** 32 - 5, dropped: 0 });
  counts.sawRing(0, { written: 3, dropped: 1 });
  counts.sawRing(1, { written: 7, dropped: 0 });
  assert.equal(counts.written(), 2 ** 32 + 3 + 7);
  assert.equal(counts.dropped()['ring full'], 1);
});

test('another thread with the same memory continues the counts', () => {
  const memory = createRecordCounts(1);
  openRecordCounts(memory).countTaken(5);
  const second = openRecordCounts(memory);
  second.drop('thread lost', 5);
  assert.deepEqual([second.taken(), second.waiting()], [5, 0]);
});
