import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestOrder } from './newest-order.ts';

const plainOrder = (times: Float64Array): number[] =>
  [...times.keys()].sort((one, other) => times[other]! - times[one]! || other - one);

/** Times of a range in no order, some of them equal. */
const mixed = (count: number, range: number): Float64Array =>
  Float64Array.from({ length: count }, (_, row) => 1e12 + Math.floor((((row * 7919) % count) / count) * range));

test('rows that arrived in order are reversed', () => {
  assert.deepEqual([...newestOrder(Float64Array.of(5, 5, 6, 9))], [3, 2, 1, 0]);
  assert.deepEqual([...newestOrder(new Float64Array(0))], []);
});

test('the newest row is first, and of one millisecond the later row', () => {
  // Comparator; one digit of the radix sort; two digits; a range that exceeds 32 bits.
  for (const [count, range] of [
    [50, 20],
    [3000, 60_000],
    [3000, 86_400_000],
    [3000, 2 ** 33],
  ] as const) {
    const times = mixed(count, range);
    assert.deepEqual([...newestOrder(times)], plainOrder(times), `${count} rows in ${range} ms`);
  }
});
