import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createCacheMemory } from './cache-layout.ts';
import { openCacheReader } from './read-cache.ts';
import { openCacheWriter } from './write-cache.ts';

const PUTS = 20_000;
const KEYS = 3_000;

const keyHigh = (key: number): number => Math.imul(key, 0x9e3779b1);

/** Every byte of a record depends on its key. */
function write(memory: SharedArrayBuffer, seed: number): void {
  const writer = openCacheWriter(memory);
  for (let i = 0; i < PUTS; i++) {
    const key = 1 + ((i * 7919 + seed * 104_729) % KEYS);
    writer.put({
      keyHigh: keyHigh(key),
      keyLow: key,
      message: new Uint8Array(40 + (key % 200)).fill(key),
      ttlOffsets: Uint16Array.of(12),
      targets: Uint8Array.of(0x84, 1, 2, 3, key),
      ttlSeconds: 60,
      now: 1,
      owner: key % 100,
      flags: 0,
    });
  }
}

if (!isMainThread) {
  const { memory, seed } = workerData as { memory: SharedArrayBuffer; seed: number };
  write(memory, seed);
  parentPort!.postMessage('done');
} else
  test('several threads write concurrently, and readers get complete records', async () => {
    // Smaller than all records together, so that old ones are overwritten.
    const memory = createCacheMemory(256 * 1024);
    const workers = [1, 2, 3].map((seed) => new Worker(new URL(import.meta.url), { workerData: { memory, seed } }));
    const ended = Promise.all(workers.map((worker) => once(worker, 'message')));
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const reader = openCacheReader(memory);
    let found = 0;
    while (!isOver) {
      for (let key = 1; key <= KEYS; key++) {
        if (!reader.find(keyHigh(key), key)) continue;
        const { messageAt, messageLength } = reader.found;
        const copy = reader.arena.slice(messageAt, messageAt + messageLength);
        if (!reader.isStillThere()) continue;
        found += 1;
        assert.equal(copy.length, 40 + (key % 200));
        assert.ok(copy.every((byte) => byte === (key & 0xff)));
      }
      await new Promise(setImmediate);
    }
    assert.ok(found > 0);
    const { entries, bytes } = openCacheWriter(memory).size();
    let counted = 0;
    for (let key = 1; key <= KEYS; key++) if (reader.find(keyHigh(key), key)) counted += 1;
    assert.equal(entries, counted);
    assert.ok(bytes <= 256 * 1024);
  });
