import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lines } from '../lines/lines.ts';
import { linesOf } from '../lines/lines-for-tests.ts';
import { byBlock, upwards } from './by-block.ts';

// Whatever the size of a block is, these are about as long as some blocks.
const counts = [0, 1, ...[8, 9, 10, 12, 14, 16].flatMap((power) => [-1, 0, 1].map((more) => 2 ** power + more))];
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** So many lines, of which nobody asks what they say. */
const manyLines = (count: number): Lines => ({ ...linesOf([]), count });

test('every line has its turn once and in order, however many there are', () => {
  for (const count of counts) {
    const seen: number[] = [];
    byBlock((_, from, to) => {
      for (let at = from; at < to; at++) seen.push(at);
    })(manyLines(count), () => {});
    assert.deepEqual(seen, upTo(count));
  }
});

test('what is dropped in a block is dropped by whoever runs it', () => {
  const dropped: string[] = [];
  byBlock((_, from, __, drop) => drop(from, 'comment'))(manyLines(100_000), (at, reason) =>
    dropped.push(`${at} ${reason}`),
  );
  assert.equal(dropped[0], '0 comment');
  assert.ok(dropped.length > 1, 'more than one block');
});

test('upwards every line has its turn once, from the last to the first, and each block hears of the one below', () => {
  for (const count of counts) {
    const seen: number[] = [];
    upwards(manyLines(count), 0, (from, to, below) => {
      assert.equal(below, seen.length);
      for (let at = to - 1; at >= from; at--) seen.push(at);
      return seen.length;
    });
    assert.deepEqual(seen, upTo(count).toReversed());
  }
});
