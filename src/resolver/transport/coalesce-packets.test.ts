import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalescePackets } from './coalesce-packets.ts';

/** How often the thread pauses in 100 ms, if each batch has `packets` and takes `batchMs`. */
function pausesIn100Ms(packets: number, batchMs: number): number {
  let pauses = 0;
  const batchEnded = coalescePackets(() => {
    pauses += 1;
  });
  for (let now = 0; now < 100; now += batchMs) batchEnded(packets, now);
  return pauses;
}

test('a thread with few packets a second never pauses', () => {
  assert.equal(pausesIn100Ms(1, 0.1), 0);
  assert.equal(pausesIn100Ms(0, 50), 0);
});

test('a thread with many small batches pauses after each', () => {
  const pauses = pausesIn100Ms(2, 0.05);
  assert.ok(pauses > 1900, `${pauses} of 2000`);
});

test('full batches are read without a pause', () => {
  assert.equal(pausesIn100Ms(64, 0.5), 0);
});

test('the pauses end soon after the last packet', () => {
  let pauses = 0;
  const batchEnded = coalescePackets(() => {
    pauses += 1;
  });
  for (let now = 0; now < 10; now += 0.1) batchEnded(5, now);
  const before = pauses;
  for (let now = 10; now < 100; now += 0.5) batchEnded(0, now);
  assert.ok(before > 0 && pauses - before < 8, `${pauses - before} pauses without packets`);
});
