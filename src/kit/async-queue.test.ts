import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AsyncQueue, asyncQueue } from './async-queue.ts';

async function readAll<T>(values: AsyncQueue<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
}

test('values are read in order', async () => {
  const numbers = asyncQueue<number>();
  for (const number of [1, 2, 3]) numbers.push(number);
  numbers.close();
  assert.deepEqual(await readAll(numbers), [1, 2, 3]);
});

test('a reader that waits is woken by the next value, and by the end', async () => {
  const words = asyncQueue<string>();
  const reader = words[Symbol.asyncIterator]();
  const first = reader.next();
  words.push('one');
  assert.deepEqual(await first, { value: 'one', done: false });
  const second = reader.next();
  words.close();
  assert.deepEqual(await second, { value: undefined, done: true });
});

test('items pushed before an error are read before it is thrown', async () => {
  const words = asyncQueue<string>();
  words.push('one');
  words.close(new Error('broken'));
  const reader = words[Symbol.asyncIterator]();
  assert.deepEqual(await reader.next(), { value: 'one', done: false });
  await assert.rejects(async () => reader.next(), /broken/);
});

test('a waiting reader gets the error', async () => {
  const words = asyncQueue<string>();
  const reading = readAll(words);
  words.close(new Error('broken'));
  await assert.rejects(reading, /broken/);
});

test('undefined is an ordinary value', async () => {
  const values = asyncQueue<undefined>();
  values.push(undefined);
  values.push(undefined);
  values.close();
  assert.deepEqual(await readAll(values), [undefined, undefined]);
});

test('all values arrive once and in order, with any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean()), async (turns) => {
      const numbers = asyncQueue<number>();
      const reading = readAll(numbers);
      for (const [number, isPaused] of turns.entries()) {
        numbers.push(number);
        if (isPaused) await Promise.resolve();
      }
      numbers.close();
      assert.deepEqual(await reading, [...turns.keys()]);
    }),
    { numRuns: 1000 },
  );
});
