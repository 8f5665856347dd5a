import {
  entryAt,
  entryWord,
  HEADER_UNITS,
  offsetOf,
  RECORD_HEADER,
  recordField,
  stateWord,
  UNIT,
  unitsToEnd,
  viewCache,
  WAYS,
} from './cache-layout.ts';

/** An upstream answer to cache. */
export type CacheEntry = {
  readonly keyHigh: number;
  readonly keyLow: number;
  /** Message without OPT. Readers compare its question with theirs. */
  readonly message: Uint8Array;
  /** Offsets of the TTLs in the message. */
  readonly ttlOffsets: Uint16Array;
  /**
   * Names and addresses in the answer, for filtering: one length byte, then the bytes; a length of 4 or 16 with the top
   * bit set is an address.
   */
  readonly targets: Uint8Array;
  readonly ttlSeconds: number;
  /** Monotonic seconds. */
  readonly now: number;
  /** Account slot that the entry is attributed to, so that no account can fill the cache alone. */
  readonly owner: number;
  readonly flags: number;
};

/** Flags of the question that the message does not contain. */
export const entryFlags = (dnssecOk: boolean, checkingDisabled: boolean, hasSubnet: boolean): number =>
  (dnssecOk ? 1 : 0) | (checkingDisabled ? 2 : 0) | (hasSubnet ? 4 : 0);

// The writer frees this share of the arena ahead of its position, because slow readers may still be copying records there.
const GUARD_SHARE = 16;
const LARGEST_SHARE = 16;
const OWNER_SHARE = 4;
// A put moves at most this many records to the head; further ones are evicted, even if they are popular.
const MAX_MOVES = 8;

// A write takes a few microseconds; after spinning, wait some milliseconds in case the writing thread was preempted.
const LOCK_SPINS = 2000;
const LOCK_WAITS = 5;
const LOCK_WAIT_MS = 1;

function takeLock(state: Int32Array): boolean {
  for (let waits = 0; waits <= LOCK_WAITS; waits++) {
    for (let spins = 0; spins < LOCK_SPINS; spins++)
      if (Atomics.compareExchange(state, stateWord.lock, 0, 1) === 0) return true;
    Atomics.wait(state, stateWord.lock, 1, LOCK_WAIT_MS);
  }
  return false;
}

/** Any thread may write; a lock in the shared memory makes it one at a time. */
export function openCacheWriter(memory: SharedArrayBuffer) {
  const views = viewCache(memory);
  const { state, ownerUnits, index, arena, words, buckets, arenaUnits } = views;
  const guardUnits = Math.floor(arenaUnits / GUARD_SHARE);

  const unitsOf = (entry: CacheEntry): number =>
    Math.ceil((RECORD_HEADER + entry.ttlOffsets.length * 2 + entry.targets.length + entry.message.length) / UNIT);

  function removeFromIndex(recordAt: number): void {
    const owner = ownerAt(recordAt);
    ownerUnits[owner] = Math.max(0, ownerUnits[owner]! - words.getUint32(recordAt + recordField.units, true));
  }

  function entryOf(keyHigh: number, keyLow: number): number {
    const bucket = keyHigh & (buckets - 1);
    for (let way = 0; way < WAYS; way++) {
      const at = entryAt(bucket, way);
      if (index[at + entryWord.keyHigh] === keyHigh && index[at + entryWord.keyLow] === keyLow) return at;
    }
    return -1;
  }

  const isCurrent = (at: number, position: number): boolean =>
    at !== -1 && index[at + entryWord.isUsed] === 1 && index[at + entryWord.position] === position;

  function drop(at: number): void {
    Atomics.store(index, at + entryWord.isUsed, 0);
    state[stateWord.entries]! -= 1;
  }

  /** Units that must be freed so that `units` ahead of `head` are free. */
  const missingUnits = (units: number): number =>
    (state[stateWord.head]! + units + guardUnits - arenaUnits - state[stateWord.live]!) | 0;

  const isPopular = (recordAt: number): boolean => words.getUint32(recordAt + recordField.isTouched, true) !== 0;
  const ownerAt = (recordAt: number): number => words.getUint32(recordAt + recordField.owner, true);
  const hasItsShare = (owner: number): boolean => ownerUnits[owner]! > arenaUnits / OWNER_SHARE;

  /** Frees the oldest records until `units` ahead of `head` are free; returns copies of the popular ones. */
  function makeRoom(units: number, mostCopies: number): Uint8Array[] {
    const copies: Uint8Array[] = [];
    while (missingUnits(units) > 0) {
      const copy = evictOldest((recordAt) => copies.length < mostCopies && isPopular(recordAt));
      if (copy) copies.push(copy);
    }
    return copies;
  }

  /**
   * Frees `units` ahead of `head` for an owner above its share: evicts only records of this owner, and copies the oldest records
   * of others to the head. False if that frees too few units.
   */
  function makeRoomOfOwn(owner: number, units: number): boolean {
    const copies: Uint8Array[] = [];
    const missing = missingUnits(units);
    let freed = 0;
    while (freed < missing && (copies.length < MAX_MOVES || isOldestOf(owner))) {
      const before = state[stateWord.live]!;
      const copy = evictOldest(
        (recordAt) => copies.length < MAX_MOVES && (ownerAt(recordAt) !== owner || isPopular(recordAt)),
      );
      if (copy) copies.push(copy);
      else freed += (state[stateWord.live]! - before) | 0;
    }
    putBackAll(copies);
    return freed >= missing;
  }

  function isOldestOf(owner: number): boolean {
    const live = state[stateWord.live]!;
    return sizeAt(live) < HEADER_UNITS || ownerAt(offsetOf(views, live)) === owner;
  }

  /** The end of the arena holds no record if it is too short for a header. */
  function sizeAt(position: number): number {
    const left = unitsToEnd(views, position);
    return left < HEADER_UNITS ? left : words.getUint32(offsetOf(views, position) + recordField.units, true);
  }

  /** Returns a copy of the record if it is to be put back. */
  function evictOldest(stays: (recordAt: number) => boolean): Uint8Array | undefined {
    const position = state[stateWord.live]!;
    const size = sizeAt(position);
    const copy = evict(position, size, stays);
    Atomics.store(state, stateWord.live, (position + size) | 0);
    return copy;
  }

  function evict(position: number, size: number, stays: (recordAt: number) => boolean): Uint8Array | undefined {
    if (size < HEADER_UNITS) return undefined;
    const recordAt = offsetOf(views, position);
    removeFromIndex(recordAt);
    const key = words.getInt32(recordAt + recordField.keyHigh, true);
    const at = entryOf(key, words.getInt32(recordAt + recordField.keyLow, true));
    if (!isCurrent(at, position)) return undefined;
    drop(at);
    return stays(recordAt) ? arena.slice(recordAt, recordAt + size * UNIT) : undefined;
  }

  /** A record never wraps around the end of the arena: the remainder is an empty record. */
  function skipEnd(units: number): void {
    const head = state[stateWord.head]!;
    const left = unitsToEnd(views, head);
    if (left >= units) return;
    if (left >= HEADER_UNITS) {
      const recordAt = offsetOf(views, head);
      arena.fill(0, recordAt, recordAt + RECORD_HEADER);
      writeSize(recordAt, left);
    }
    Atomics.store(state, stateWord.head, (head + left) | 0);
  }

  function writeSize(recordAt: number, units: number): void {
    words.setUint32(recordAt + recordField.units, units, true);
  }

  function chooseEntry(keyHigh: number, keyLow: number): number {
    const same = entryOf(keyHigh, keyLow);
    if (same !== -1) return same;
    const bucket = keyHigh & (buckets - 1);
    let oldest = entryAt(bucket, 0);
    for (let way = 0; way < WAYS; way++) {
      const at = entryAt(bucket, way);
      if (index[at + entryWord.isUsed] === 0) return at;
      const age = (state[stateWord.head]! - index[at + entryWord.position]!) | 0;
      if (age > ((state[stateWord.head]! - index[oldest + entryWord.position]!) | 0)) oldest = at;
    }
    return oldest;
  }

  function publish(keyHigh: number, keyLow: number, position: number): void {
    const at = chooseEntry(keyHigh, keyLow);
    if (index[at + entryWord.isUsed] === 1) drop(at);
    index[at + entryWord.keyHigh] = keyHigh;
    index[at + entryWord.keyLow] = keyLow;
    Atomics.store(index, at + entryWord.position, position);
    Atomics.store(index, at + entryWord.isUsed, 1);
    state[stateWord.entries]! += 1;
  }

  function reserve(units: number): { readonly position: number; readonly at: number } {
    skipEnd(units);
    const position = state[stateWord.head]!;
    Atomics.store(state, stateWord.head, (position + units) | 0);
    return { position, at: offsetOf(views, position) };
  }

  function putBackAll(records: readonly Uint8Array[]): void {
    for (const record of records) {
      makeRoom((record.length / UNIT) * 2, 0);
      putBack(record);
    }
  }

  function putBack(record: Uint8Array): void {
    const { position, at } = reserve(record.length / UNIT);
    arena.set(record, at);
    words.setUint32(at + recordField.isTouched, 0, true);
    attribute(ownerAt(at), record.length / UNIT);
    publish(words.getInt32(at + recordField.keyHigh, true), words.getInt32(at + recordField.keyLow, true), position);
  }

  function attribute(owner: number, units: number): void {
    ownerUnits[owner]! += units;
  }

  function store(entry: CacheEntry, units: number): boolean {
    // Reserves twice its size, because the end of the arena may have to be skipped.
    if (hasItsShare(entry.owner)) {
      if (!makeRoomOfOwn(entry.owner, units * 2)) return false;
    } else putBackAll(makeRoom(units * 2, MAX_MOVES));
    makeRoom(units * 2, 0);
    const { position, at } = reserve(units);
    writeRecord(entry, units, at);
    attribute(entry.owner, units);
    publish(entry.keyHigh, entry.keyLow, position);
    return true;
  }

  /** False if other threads held the lock for too long. */
  function exclusively(work: () => boolean): boolean {
    if (!takeLock(state)) return false;
    try {
      return work();
    } finally {
      Atomics.store(state, stateWord.lock, 0);
    }
  }

  return {
    /** False if it was not stored: it is too large, only records of others could make room, or the lock was not free. */
    put(entry: CacheEntry): boolean {
      const units = unitsOf(entry);
      if (units > arenaUnits / LARGEST_SHARE || entry.message.length > 0xffff) return false;
      return exclusively(() => store(entry, units));
    },
    remove(keyHigh: number, keyLow: number): void {
      exclusively(() => {
        const at = entryOf(keyHigh, keyLow);
        if (at !== -1 && index[at + entryWord.isUsed] === 1) drop(at);
        return true;
      });
    },
    /** False if the lock was not free. */
    clear(): boolean {
      return exclusively(() => {
        for (let at = 0; at < index.length; at += 4) Atomics.store(index, at + entryWord.isUsed, 0);
        state[stateWord.entries] = 0;
        return true;
      });
    },
    size: () => ({
      entries: state[stateWord.entries]!,
      bytes: ((state[stateWord.head]! - state[stateWord.live]!) >>> 0) * UNIT,
    }),
  };

  function writeRecord(entry: CacheEntry, units: number, at: number): void {
    words.setInt32(at + recordField.keyHigh, entry.keyHigh, true);
    words.setInt32(at + recordField.keyLow, entry.keyLow, true);
    words.setUint32(at + recordField.storedAt, entry.now, true);
    words.setUint32(at + recordField.ttlSeconds, entry.ttlSeconds, true);
    writeSize(at, units);
    const itemsAt = RECORD_HEADER + entry.ttlOffsets.length * 2;
    words.setUint16(at + recordField.messageLength, entry.message.length, true);
    words.setUint16(at + recordField.messageAt, itemsAt + entry.targets.length, true);
    words.setUint16(at + recordField.ttlCount, entry.ttlOffsets.length, true);
    words.setUint16(at + recordField.targetsLength, entry.targets.length, true);
    words.setUint32(at + recordField.owner, entry.owner, true);
    words.setUint32(at + recordField.isTouched, 0, true);
    words.setUint32(at + recordField.flags, entry.flags, true);
    for (let i = 0; i < entry.ttlOffsets.length; i++)
      words.setUint16(at + RECORD_HEADER + i * 2, entry.ttlOffsets[i]!, true);
    arena.set(entry.targets, at + itemsAt);
    arena.set(entry.message, at + itemsAt + entry.targets.length);
  }
}

export type CacheWriter = ReturnType<typeof openCacheWriter>;
