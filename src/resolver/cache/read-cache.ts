import { entryAt, entryWord, offsetOf, recordField, stateWord, viewCache, WAYS } from './cache-layout.ts';

/** The part of a record that readers need. Reused: valid until the next lookup. */
type Found = {
  position: number;
  /** Offset of the record in the arena. */
  recordAt: number;
  messageAt: number;
  messageLength: number;
  ttlCount: number;
  targetsLength: number;
  storedAt: number;
  ttlSeconds: number;
};

/** Usable in any thread. Allocates nothing. */
export function openCacheReader(memory: SharedArrayBuffer) {
  const views = viewCache(memory);
  const { state, index, words, buckets } = views;
  const found: Found = {
    position: 0,
    recordAt: 0,
    messageAt: 0,
    messageLength: 0,
    ttlCount: 0,
    targetsLength: 0,
    storedAt: 0,
    ttlSeconds: 0,
  };

  const isLive = (position: number): boolean => ((position - Atomics.load(state, stateWord.live)) | 0) >= 0;

  return {
    arena: views.arena,
    words,
    found,
    /** Fills `found`. Data copied from it is valid only if `isStillThere` returns true afterwards. */
    find(keyHigh: number, keyLow: number): boolean {
      const bucket = keyHigh & (buckets - 1);
      for (let way = 0; way < WAYS; way++) {
        const at = entryAt(bucket, way);
        if (index[at + entryWord.keyHigh] !== keyHigh || index[at + entryWord.keyLow] !== keyLow) continue;
        if (Atomics.load(index, at + entryWord.isUsed) === 0) continue;
        const position = Atomics.load(index, at + entryWord.position);
        if (!isLive(position)) continue;
        const recordAt = offsetOf(views, position);
        if (words.getInt32(recordAt + recordField.keyHigh, true) !== keyHigh) continue;
        if (words.getInt32(recordAt + recordField.keyLow, true) !== keyLow) continue;
        found.position = position;
        found.recordAt = recordAt;
        found.messageAt = recordAt + words.getUint16(recordAt + recordField.messageAt, true);
        found.messageLength = words.getUint16(recordAt + recordField.messageLength, true);
        found.ttlCount = words.getUint16(recordAt + recordField.ttlCount, true);
        found.targetsLength = words.getUint16(recordAt + recordField.targetsLength, true);
        found.storedAt = words.getUint32(recordAt + recordField.storedAt, true);
        found.ttlSeconds = words.getUint32(recordAt + recordField.ttlSeconds, true);
        return true;
      }
      return false;
    },
    isStillThere: (): boolean => isLive(found.position),
    touch(): void {
      // Write only if the flag is not set: a write invalidates the cache line on all other cores.
      const at = found.recordAt + recordField.isTouched;
      if (words.getUint32(at, true) === 0) words.setUint32(at, 1, true);
    },
  };
}

export type CacheReader = ReturnType<typeof openCacheReader>;
