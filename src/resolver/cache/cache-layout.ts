/*
 * The answer cache is one block of shared memory with many readers and one writer at a time:
 *
 *   state | bytes per owner | index: buckets of four entries, one cache line each | arena: a ring of records
 *
 * An index entry is two words of key and the position of a record. Positions count units of 8 bytes and never go back
 * (they wrap at 32 bits); the offset of a record is its position modulo the size of the arena. The writer advances `live` before it
 * overwrites older records. A reader that copies a record and then finds its position still live has a complete copy.
 */
export const UNIT = 8;

export const stateWord = {
  /** Position of the oldest live record. */
  live: 0,
  /** Position of the next record. */
  head: 1,
  arenaUnits: 2,
  buckets: 3,
  /** 1 while a thread writes. */
  lock: 4,
  entries: 5,
} as const;
const STATE_WORDS = 16;

/** Owners are numbers below this, such as the slots of accounts. */
const OWNERS = 4096;
const OWNERS_AT = STATE_WORDS;
const INDEX_AT = STATE_WORDS + OWNERS;

export const WAYS = 4;
export const WORDS_OF_ENTRY = 4;
const WORDS_OF_BUCKET = WAYS * WORDS_OF_ENTRY;
export const entryWord = { keyHigh: 0, keyLow: 1, position: 2, isUsed: 3 } as const;
export const entryAt = (bucket: number, way: number): number => bucket * WORDS_OF_BUCKET + way * WORDS_OF_ENTRY;

/** Offsets in a record. Targets and TTL offsets follow the header; the message is last. */
export const recordField = {
  keyHigh: 0,
  keyLow: 4,
  storedAt: 8,
  ttlSeconds: 12,
  units: 16,
  messageLength: 20,
  messageAt: 22,
  ttlCount: 24,
  targetsLength: 26,
  owner: 28,
  /** Set by readers to protect used records from eviction; a lost write is harmless. */
  isTouched: 32,
  /** Flags of the question besides name and type: see `entryFlags`. */
  flags: 36,
} as const;
export const RECORD_HEADER = 40;
export const HEADER_UNITS = RECORD_HEADER / UNIT;

export type CacheViews = {
  readonly state: Int32Array;
  /** Units in the arena that are attributed to each owner. */
  readonly ownerUnits: Int32Array;
  readonly index: Int32Array;
  readonly arena: Uint8Array;
  readonly words: DataView;
  readonly buckets: number;
  readonly arenaUnits: number;
};

const MIN_ARENA = 64 * 1024;
// 128 bytes of arena per index entry: few records are smaller.
const ARENA_BYTES_PER_BUCKET = WAYS * 128;

export function createCacheMemory(bytes: number): SharedArrayBuffer {
  // Positions wrap at 32 bits, so the arena size must be a power of two.
  const arenaBytes = 2 ** Math.floor(Math.log2(Math.max(MIN_ARENA, bytes)));
  const buckets = 2 ** Math.ceil(Math.log2(arenaBytes / ARENA_BYTES_PER_BUCKET));
  const memory = new SharedArrayBuffer((INDEX_AT + buckets * WORDS_OF_BUCKET) * 4 + arenaBytes);
  const state = new Int32Array(memory, 0, STATE_WORDS);
  state[stateWord.arenaUnits] = arenaBytes / UNIT;
  state[stateWord.buckets] = buckets;
  return memory;
}

export function viewCache(memory: SharedArrayBuffer): CacheViews {
  const state = new Int32Array(memory, 0, STATE_WORDS);
  const buckets = state[stateWord.buckets]!;
  const arenaUnits = state[stateWord.arenaUnits]!;
  const arenaAt = (INDEX_AT + buckets * WORDS_OF_BUCKET) * 4;
  return {
    state,
    ownerUnits: new Int32Array(memory, OWNERS_AT * 4, OWNERS),
    index: new Int32Array(memory, INDEX_AT * 4, buckets * WORDS_OF_BUCKET),
    arena: new Uint8Array(memory, arenaAt, arenaUnits * UNIT),
    words: new DataView(memory, arenaAt, arenaUnits * UNIT),
    buckets,
    arenaUnits,
  };
}

export const offsetOf = ({ arenaUnits }: CacheViews, position: number): number => (position & (arenaUnits - 1)) * UNIT;
export const unitsToEnd = ({ arenaUnits }: CacheViews, position: number): number =>
  arenaUnits - (position & (arenaUnits - 1));
