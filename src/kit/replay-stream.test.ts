import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayStream } from './replay-stream.ts';

test('every reader gets all values, independent of when it starts', async () => {
  const values = replayStream<number>();
  values.push(1);
  const early = Array.fromAsync(values);
  values.push(2);
  await Promise.resolve();
  values.push(3);
  values.close();
  assert.deepEqual(await early, [1, 2, 3]);
  assert.deepEqual(await Array.fromAsync(values), [1, 2, 3]);
});

test('a reader waits for the next event', async () => {
  const values = replayStream<string>();
  const reader = values[Symbol.asyncIterator]();
  const first = reader.next();
  const race = await Promise.race([first, new Promise((resolve) => setImmediate(resolve, 'still waiting'))]);
  assert.equal(race, 'still waiting');
  values.push('now');
  assert.deepEqual(await first, { done: false, value: 'now' });
  const last = reader.next();
  values.close();
  assert.deepEqual(await last, { done: true, value: undefined });
});

test('a reader that leaves does not affect others', async () => {
  const values = replayStream<number>();
  const all = Array.fromAsync(values);
  values.push(1);
  for await (const value of values) {
    assert.equal(value, 1);
    break;
  }
  values.push(2);
  values.close();
  assert.deepEqual(await all, [1, 2]);
});
