import type { IsInNetworks } from '../identity/networks.ts';

/** Queries over the limit are dropped; every n-th is answered truncated (`slip`), so that a real client retries over TCP. */
export type Allowance = 'pass' | 'drop' | 'slip';

/** `nowMs` must be a clock that all threads share: performance.now() differs between threads. */
export type ClientLimit = {
  readonly take: (client: Uint8Array, nowMs: number) => Allowance;
  /** Whether the next query would pass, without taking a token. */
  readonly hasLeft: (client: Uint8Array, nowMs: number) => boolean;
};

export type ClientLimitOptions = {
  /** From clientLimitMemory; threads that share it share the limit. */
  readonly memory: SharedArrayBuffer;
  /**
   * Hash key: 8 bytes, the same for all threads that share the memory. Clients that do not know it cannot choose which networks they
   * collide with.
   */
  readonly secret: Uint8Array;
  /** Per network: /24 of IPv4, /56 of IPv6. */
  readonly queries?: number;
  /** Per address (/64 of IPv6), below the limit of its network: one host cannot use up the tokens of its neighbours. */
  readonly addressQueries?: number | undefined;
  readonly seconds?: number;
  /** Every n-th query over the limit is answered truncated; 0: none. */
  readonly slip?: number;
  /** Clients without a limit; private networks and loopback by default. */
  readonly isExempt?: IsInNetworks;
};

const WAYS = 4;
// A bucket: tag of its network or address, time at which it is full again, number of queries over the limit, second of its last use.
const TAG = 0;
const FULL_AT = 1;
const OVER = 2;
const SEEN = 3;
const BUCKET = 4;
// Distinguish the families and the two kinds of buckets.
const V4_NETWORK = 4 << 24;
const V6_NETWORK = 6 << 24;
const V4_ADDRESS = 5 << 24;
const V6_ADDRESS = 7 << 24;
// Times are 32 bits and wrap after about 70 minutes; only differences are used.
const TICKS_PER_MS = 1024;

/** The number of buckets must be a power of two. */
export const clientLimitMemory = (buckets = 65_536): SharedArrayBuffer => new SharedArrayBuffer(buckets * BUCKET * 4);

/** Token interval and size of the buckets of addresses or of networks, in ticks. */
type Level = { readonly interval: number; readonly window: number };

/**
 * Token buckets per network and optionally per address. A bucket is stored as the time at which it is full again, so a query costs one
 * comparison and one atomic exchange per bucket. Memory is fixed: a new bucket replaces the one of four that is full again first.
 */
export function clientLimit(options: ClientLimitOptions): ClientLimit {
  const { memory, secret, queries = 300, addressQueries, seconds = 10, slip = 2, isExempt = isLoopback } = options;
  const table = new Int32Array(memory);
  const sets = table.length / BUCKET / WAYS;
  const levelOf = (count: number): Level => {
    const interval = Math.max(1, Math.round((seconds * 1000 * TICKS_PER_MS) / count));
    return { interval, window: count * interval };
  };
  const network = levelOf(queries);
  const address = addressQueries === undefined ? undefined : levelOf(addressQueries);
  const longest = Math.max(network.window, address?.window ?? 0);
  const [key0, key1] = [word(secret, 0), word(secret, 4)];
  let nowSecond = 0;

  // Only taking a token is atomic: a thread that uses a bucket at the same time as another one may briefly read an old value.
  const used = (bucket: number, now: number): number => {
    // Needed for a client that returns after the clock has wrapped: its old time would look recent.
    if (((nowSecond - table[bucket + SEEN]!) | 0) > seconds + 1) return 0;
    const rest = (table[bucket + FULL_AT]! - now) | 0;
    // A debt of more than a full bucket is impossible, so the time is from before the clock wrapped.
    return rest > 0 && rest <= longest ? rest : 0;
  };

  /** The bucket with this tag, or the one of the set to replace. */
  const find = (from: number, now: number): number => {
    let least = from;
    for (let bucket = from; bucket < from + WAYS * BUCKET; bucket += BUCKET) {
      if (table[bucket + TAG] === tag) return bucket;
      if (used(bucket, now) < used(least, now)) least = bucket;
    }
    table[least + TAG] = tag;
    table[least + FULL_AT] = now;
    table[least + OVER] = 0;
    table[least + SEEN] = nowSecond;
    return least;
  };

  const takeFrom = (bucket: number, { interval, window }: Level, now: number): Allowance => {
    for (;;) {
      const before = table[bucket + FULL_AT]!;
      const after = used(bucket, now) + interval;
      if (after > window) break;
      table[bucket + SEEN] = nowSecond;
      if (Atomics.compareExchange(table, bucket + FULL_AT, before, (now + after) | 0) === before) return 'pass';
    }
    const over = (table[bucket + OVER]! + 1) & 0xffff;
    table[bucket + OVER] = over;
    return slip > 0 && over % slip === 0 ? 'slip' : 'drop';
  };

  let tag = 0;
  /** Returns the bucket set for two words of an address and stores their tag in `tag`. */
  const setOf = (first: number, second: number): number => {
    const hash = mix(second ^ mix(first ^ key0) ^ key1);
    tag = mix(first ^ mix(second + key0) ^ Math.imul(key1, 0x9e3779b1)) || 1;
    return ((hash >>> 0) % sets) * WAYS * BUCKET;
  };
  /** The first 24 or 56 bits and the address family. */
  const setOfNetwork = (client: Uint8Array): number =>
    client.length === 4
      ? setOf(word(client, 0) >>> 8, V4_NETWORK)
      : setOf(word(client, 0), (word(client, 4) >>> 8) | V6_NETWORK);
  /** The first 32 or 64 bits; those of IPv6 are mixed, because they leave no room for the family. */
  const setOfAddress = (client: Uint8Array): number =>
    client.length === 4
      ? setOf(word(client, 0), V4_ADDRESS)
      : setOf(mix(word(client, 0)) ^ V6_ADDRESS, word(client, 4));

  const takeAt = (set: number, level: Level, now: number): Allowance => takeFrom(find(set, now), level, now);

  const hasLeftAt = (from: number, { interval, window }: Level, now: number): boolean => {
    for (let bucket = from; bucket < from + WAYS * BUCKET; bucket += BUCKET)
      if (table[bucket + TAG] === tag) return used(bucket, now) + interval <= window;
    return true;
  };

  const setTime = (nowMs: number): number => {
    nowSecond = Math.floor(nowMs / 1000) | 0;
    return Math.floor(nowMs * TICKS_PER_MS) | 0;
  };

  return {
    take(client, nowMs) {
      if (isExempt(client)) return 'pass';
      const now = setTime(nowMs);
      const allowance = address ? takeAt(setOfAddress(client), address, now) : 'pass';
      return allowance === 'pass' ? takeAt(setOfNetwork(client), network, now) : allowance;
    },
    hasLeft(client, nowMs) {
      if (isExempt(client)) return true;
      const now = setTime(nowMs);
      return (
        hasLeftAt(setOfNetwork(client), network, now) && (!address || hasLeftAt(setOfAddress(client), address, now))
      );
    },
  };
}

const word = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function isLoopback(client: Uint8Array): boolean {
  if (client.length === 4) return client[0] === 127;
  for (let i = 0; i < 15; i++) if (client[i] !== 0) return false;
  return client[15] === 1;
}
