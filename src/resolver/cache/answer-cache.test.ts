import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCacheMemory } from './cache-layout.ts';
import { openCacheReader } from './read-cache.ts';
import { type CacheEntry, openCacheWriter } from './write-cache.ts';

const keepable = (key: number, length: number, more: Partial<CacheEntry> = {}): CacheEntry => ({
  keyHigh: Math.imul(key, 0x9e3779b1),
  keyLow: key,
  message: new Uint8Array(length).fill(key),
  ttlOffsets: Uint16Array.of(7, 9),
  targets: Uint8Array.of(0x84, 1, 2, 3, key),
  ttlSeconds: 60,
  now: 5,
  owner: 1,
  flags: 0,
  ...more,
});

function open(bytes: number) {
  const memory = createCacheMemory(bytes);
  const reader = openCacheReader(memory);
  const writer = openCacheWriter(memory);
  const read = (key: number): Uint8Array | undefined => {
    if (!reader.find(Math.imul(key, 0x9e3779b1), key)) return undefined;
    const { messageAt, messageLength } = reader.found;
    return reader.arena.slice(messageAt, messageAt + messageLength);
  };
  return { reader, writer, read };
}

test('a stored answer is found unchanged', () => {
  const { reader, writer, read } = open(65_536);
  assert.equal(writer.put(keepable(3, 100)), true);
  assert.deepEqual(read(3), new Uint8Array(100).fill(3));
  assert.equal(reader.found.ttlSeconds, 60);
  assert.equal(reader.found.storedAt, 5);
  assert.equal(reader.found.ttlCount, 2);
  assert.equal(reader.found.targetsLength, 5);
  assert.equal(read(4), undefined);
});

test('a new answer replaces the old one', () => {
  const { writer, read } = open(65_536);
  writer.put(keepable(3, 100));
  writer.put(keepable(3, 100, { message: Uint8Array.of(9) }));
  assert.deepEqual(read(3), Uint8Array.of(9));
  assert.equal(writer.size().entries, 1);
});

test('a removed or cleared answer is not found', () => {
  const { writer, read } = open(65_536);
  writer.put(keepable(3, 100));
  writer.put(keepable(4, 100));
  writer.remove(Math.imul(3, 0x9e3779b1), 3);
  assert.equal(read(3), undefined);
  assert.notEqual(read(4), undefined);
  writer.clear();
  assert.equal(read(4), undefined);
  assert.equal(writer.size().entries, 0);
});

test('the cache never grows, and has the newest answers', () => {
  const { writer, read } = open(65_536);
  for (let key = 1; key < 5_000; key++) writer.put(keepable(key, 120, { owner: key }));
  assert.ok(writer.size().bytes <= 65_536);
  for (let key = 4_900; key < 5_000; key++) assert.notEqual(read(key), undefined, String(key));
  assert.equal(read(1), undefined);
});

test('a frequently used answer is not evicted', () => {
  const { reader, writer, read } = open(65_536);
  writer.put(keepable(1, 120));
  for (let key = 2; key < 5_000; key++) {
    assert.deepEqual(read(1), new Uint8Array(120).fill(1), String(key));
    reader.touch();
    writer.put(keepable(key, 120, { owner: key }));
  }
});

test('one client replaces its own answers in a full cache, not those of others', () => {
  const { writer, read } = open(65_536);
  const others = Array.from({ length: 200 }, (_, key) => key + 1);
  for (const key of others) writer.put(keepable(key, 120, { owner: key + 10 }));
  for (let key = 1_000; key < 3_000; key++) writer.put(keepable(key, 120, { owner: 7 }));
  // Where the ring wraps, a record may have to give way.
  const lost = others.filter((key) => read(key) === undefined);
  assert.ok(lost.length <= 10, lost.join(' '));
  const newest = Array.from({ length: 50 }, (_, nth) => 2_950 + nth);
  assert.ok(newest.filter((key) => read(key) !== undefined).length >= 45);
});

test('the only client of a full cache may use all of it, for the newest and the used answers', () => {
  const { reader, writer, read } = open(65_536);
  for (let key = 1; key < 5_000; key++) {
    assert.equal(writer.put(keepable(key, 120, { owner: 7 })), true, String(key));
    if (read(1)) reader.touch();
  }
  for (let key = 4_800; key < 5_000; key++) assert.notEqual(read(key), undefined, String(key));
  assert.notEqual(read(1), undefined);
  assert.ok(writer.size().bytes > 0.8 * 65_536, String(writer.size().bytes));
});

test('an answer far above the size limit is not cached', () => {
  const { writer, read } = open(65_536);
  assert.equal(writer.put(keepable(1, 5_000)), false);
  assert.equal(read(1), undefined);
});

test('a reader detects that its record was overwritten', () => {
  const { reader, writer } = open(65_536);
  writer.put(keepable(1, 120));
  assert.equal(reader.find(Math.imul(1, 0x9e3779b1), 1), true);
  assert.equal(reader.isStillThere(), true);
  for (let key = 2; key < 1_000; key++) writer.put(keepable(key, 120, { owner: key }));
  assert.equal(reader.isStillThere(), false);
});

test('a lookup always returns the last answer stored under its key', () => {
  const put = fc.record({
    key: fc.integer({ min: 1, max: 60 }),
    length: fc.integer({ min: 1, max: 4_000 }),
    isRead: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(put, { maxLength: 300 }), (puts) => {
      const { reader, writer, read } = open(65_536);
      const last = new Map<number, number>();
      for (const { key, length, isRead } of puts) {
        if (writer.put(keepable(key, length, { owner: key }))) last.set(key, length);
        else {
          last.delete(key);
          writer.remove(Math.imul(key, 0x9e3779b1), key);
        }
        for (const [each, size] of last) {
          const message = read(each);
          if (message) assert.deepEqual(message, new Uint8Array(size).fill(each));
          if (message && isRead) reader.touch();
        }
        assert.deepEqual(read(key)?.length, last.get(key));
      }
    }),
    { numRuns: 100 },
  );
});
