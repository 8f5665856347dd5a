import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HEADER_LENGTH } from '../../dns/numbers.ts';
import { createCacheMemory } from './cache-layout.ts';
import { openPrefetch } from './prefetch.ts';
import { openCacheReader } from './read-cache.ts';
import { openCacheWriter } from './write-cache.ts';

const HAS_SUBNET = 4;
const FIRST_SECOND = 1_000;

/** A cache and the seconds in which each name, a label of one letter, was queried again. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const memory = createCacheMemory(65_536);
  const [reader, writer] = [openCacheReader(memory), openCacheWriter(memory)];
  const refreshed: string[] = [];
  let ms = FIRST_SECOND * 1000;
  const seconds = (): number => Math.floor(ms / 1000);
  const prefetch = openPrefetch(memory, {
    seconds,
    refresh: async ({ name }) => void refreshed.push(`${String.fromCharCode(name[1]!)} ${seconds() - FIRST_SECOND}`),
  });
  t.after(prefetch.stop);
  return {
    refreshed,
    store: (letter: string, ttlSeconds: number, { isUsed = true, flags = 0 } = {}): void => {
      const key = letter.charCodeAt(0);
      const message = new Uint8Array(HEADER_LENGTH + 3 + 4);
      message.set([1, key, 0, 0, 1, 0, 1], HEADER_LENGTH);
      const targets = new Uint8Array(0);
      const found = { keyHigh: Math.imul(key, 0x9e3779b1), keyLow: key };
      writer.put({
        ...found,
        message,
        ttlOffsets: new Uint16Array(0),
        targets,
        ttlSeconds,
        now: seconds(),
        owner: 1,
        flags,
      });
      if (isUsed && reader.find(found.keyHigh, key)) reader.touch();
    },
    pass: async (passed: number): Promise<void> => {
      for (const until = ms + passed * 1000; ms < until; ) {
        ms += 10;
        t.mock.timers.tick(10);
        await Promise.resolve();
      }
    },
  };
}

test('a used answer is queried again in the last tenth of its TTL, at least two seconds before it expires', async (t) => {
  const { store, pass, refreshed } = open(t);
  store('a', 10);
  store('b', 60);
  store('c', 300);
  await pass(310);
  assert.deepEqual(refreshed, ['a 8', 'b 54', 'c 270']);
});

test('answers of any age are found in time, also those that are stored later', async (t) => {
  const { store, pass, refreshed } = open(t);
  const letters = 'abcdefghijkl'.split('');
  for (const letter of letters) {
    store(letter, 10);
    await pass(0.7);
  }
  await pass(20);
  const late = letters.filter((letter, i) => !refreshed.includes(`${letter} ${Math.floor(i * 0.7) + 8}`));
  assert.deepEqual(late, []);
});

test('an unused answer, one with a short TTL and one for a subnet are not queried again', async (t) => {
  const { store, pass, refreshed } = open(t);
  store('a', 60, { isUsed: false });
  store('b', 9);
  store('c', 60, { flags: HAS_SUBNET });
  await pass(70);
  assert.deepEqual(refreshed, []);
});

test('further due answers wait for running queries', async (t) => {
  const { store, pass, refreshed } = open(t);
  const letters = Array.from({ length: 100 }, (_, i) => String.fromCharCode(0x41 + i));
  for (const letter of letters) store(letter, 20);
  await pass(21);
  assert.equal(new Set(refreshed.map((each) => each.split(' ')[0])).size, letters.length);
});
