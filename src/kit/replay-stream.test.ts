import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replay } from './replay-stream.ts';

test('every reader sees all values from the first one on, whenever it comes', async () => {
  const told = replay<number>();
  told.push(1);
  const early = Array.fromAsync(told);
  told.push(2);
  await Promise.resolve();
  told.push(3);
  told.close();
  assert.deepEqual(await early, [1, 2, 3]);
  assert.deepEqual(await Array.fromAsync(told), [1, 2, 3]);
});

test('a reader waits for the next event', async () => {
  const told = replay<string>();
  const reader = told[Symbol.asyncIterator]();
  const first = reader.next();
  const race = await Promise.race([first, new Promise((resolve) => setImmediate(resolve, 'still waiting'))]);
  assert.equal(race, 'still waiting');
  told.push('now');
  assert.deepEqual(await first, { done: false, value: 'now' });
  const last = reader.next();
  told.close();
  assert.deepEqual(await last, { done: true, value: undefined });
});

test('a reader that leaves disturbs no other', async () => {
  const told = replay<number>();
  const all = Array.fromAsync(told);
  told.push(1);
  for await (const value of told) {
    assert.equal(value, 1);
    break;
  }
  told.push(2);
  told.close();
  assert.deepEqual(await all, [1, 2]);
});
