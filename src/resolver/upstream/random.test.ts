import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import { pooledRandom } from './random.ts';

const counting = () => {
  let next = 0;
  let fills = 0;
  const random = pooledRandom((bytes) => {
    fills++;
    for (let i = 0; i < bytes.length; i++) bytes[i] = next++;
  });
  return { random, fills: () => fills };
};

test('every byte of the pool is used once, and the pool is filled again when it is empty', () => {
  const { random, fills } = counting();
  assert.equal(random.short(), 0x0001);
  assert.equal(random.short(), 0x0203);
  assert.equal(fills(), 1);
  for (let i = 0; i < 2048 - 2; i++) random.short();
  assert.equal(fills(), 1);
  random.short();
  assert.equal(fills(), 2);
});

test('bytes come as many as are wanted, each new', () => {
  const { random } = counting();
  assert.deepEqual(random.bytes(3), Uint8Array.of(0, 1, 2));
  assert.deepEqual(random.bytes(2), Uint8Array.of(3, 4));
});

test('a fraction is below 1 even when all bits are set', () => {
  const random = pooledRandom((bytes) => bytes.fill(255));
  assert.ok(random.fraction() < 1);
  assert.equal(pooledRandom((bytes) => bytes.fill(0)).fraction(), 0);
});

test('numbers are spread evenly and do not follow each other', () => {
  const { short } = pooledRandom(randomFillSync);
  const count = 100_000;
  const numbers = Array.from({ length: count }, short);
  const buckets = Array.from({ length: 256 }, () => 0);
  for (const number of numbers) buckets[number >> 8]!++;
  const expected = count / 256;
  const chiSquare = buckets.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
  // 255 degrees of freedom: random data exceeds 360 once in 100,000 runs.
  assert.ok(chiSquare < 360, `chi square ${chiSquare}`);

  const mean = 32_767.5;
  let together = 0;
  let own = 0;
  for (let i = 1; i < count; i++) {
    together += (numbers[i]! - mean) * (numbers[i - 1]! - mean);
    own += (numbers[i]! - mean) ** 2;
  }
  assert.ok(Math.abs(together / own) < 0.02, `serial correlation ${together / own}`);
});
