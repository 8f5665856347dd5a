import type { IsInNetworks } from '../identity/networks.ts';

/** Queries over the limit are dropped; every n-th is answered truncated (`slip`), so that a real client retries over TCP. */
export type Allowance = 'pass' | 'drop' | 'slip';

/** `nowMs` must be a clock that all threads share: performance.now() differs between threads. */
export type ClientLimit = {
  readonly take: (client: Uint8Array, nowMs: number) => Allowance;
  /** Whether the next query would pass; takes no token. */
  readonly hasLeft: (client: Uint8Array, nowMs: number) => boolean;
};

export type ClientLimitOptions = {
  /** From clientLimitMemory; threads that share it share the limit. */
  readonly memory: SharedArrayBuffer;
  /** 8 bytes, the same for all threads that share the memory. Without it a client cannot choose which networks it collides with. */
  readonly secret: Uint8Array;
  readonly queries?: number;
  readonly seconds?: number;
  /** One of this many queries over the limit is answered truncated; 0: none. */
  readonly slip?: number;
  /** Clients without a limit; private networks and loopback by default. */
  readonly isExempt?: IsInNetworks;
};

const WAYS = 4;
// A bucket: its network, when it will be full again, the number of queries over the limit, and the second of its last use.
const NETWORK = 0;
const FULL_AT = 1;
const OVER = 2;
const SEEN = 3;
const BUCKET = 4;
// Times are 32 bits and wrap after about 70 minutes; only differences are used.
const TICKS_PER_MS = 1024;

/** The number of buckets must be a power of two. */
export const clientLimitMemory = (buckets = 65_536): SharedArrayBuffer => new SharedArrayBuffer(buckets * BUCKET * 4);

/**
 * Token bucket per network (/24 of IPv4, /56 of IPv6). A bucket is one time, at which it will be full again, so a query
 * costs one comparison and one exchange. Memory is fixed: a new network replaces the one of four that has used the
 * smallest part of its bucket.
 */
export function clientLimit(options: ClientLimitOptions): ClientLimit {
  const { memory, secret, queries = 300, seconds = 10, slip = 2, isExempt = isLoopback } = options;
  const table = new Int32Array(memory);
  const sets = table.length / BUCKET / WAYS;
  const interval = Math.max(1, Math.round((seconds * 1000 * TICKS_PER_MS) / queries));
  const window = queries * interval;
  const [key0, key1] = [word(secret, 0), word(secret, 4)];
  let nowSecond = 0;

  // Two threads that use a bucket at the same time may briefly read an old value; only taking a token is atomic.
  const used = (bucket: number, now: number): number => {
    // Otherwise a client that returns after the clock has wrapped would count as one that never left.
    if (((nowSecond - table[bucket + SEEN]!) | 0) > seconds + 1) return 0;
    const rest = (table[bucket + FULL_AT]! - now) | 0;
    // More than a full bucket is impossible: the time is from before the clock wrapped.
    return rest > 0 && rest <= window ? rest : 0;
  };

  /** The bucket of this network, or the one of the set to replace. */
  const find = (from: number, networkTag: number, now: number): number => {
    let least = from;
    for (let bucket = from; bucket < from + WAYS * BUCKET; bucket += BUCKET) {
      if (table[bucket + NETWORK] === networkTag) return bucket;
      if (used(bucket, now) < used(least, now)) least = bucket;
    }
    table[least + NETWORK] = networkTag;
    table[least + FULL_AT] = now;
    table[least + OVER] = 0;
    table[least + SEEN] = nowSecond;
    return least;
  };

  const takeFrom = (bucket: number, now: number): Allowance => {
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

  let networkTag = 0;
  /** Returns the bucket set of the client's network and stores the network's tag in `networkTag`. */
  const setOf = (client: Uint8Array): number => {
    const isV4 = client.length === 4;
    // The first 24 or 56 bits and the address family.
    const first = isV4 ? word(client, 0) >>> 8 : word(client, 0);
    const second = isV4 ? 4 << 24 : (word(client, 4) >>> 8) | (6 << 24);
    const hash = mix(second ^ mix(first ^ key0) ^ key1);
    networkTag = mix(first ^ mix(second + key0) ^ Math.imul(key1, 0x9e3779b1)) || 1;
    return ((hash >>> 0) % sets) * WAYS * BUCKET;
  };

  const setTime = (nowMs: number): number => {
    nowSecond = Math.floor(nowMs / 1000) | 0;
    return Math.floor(nowMs * TICKS_PER_MS) | 0;
  };

  return {
    take(client, nowMs) {
      if (isExempt(client)) return 'pass';
      const now = setTime(nowMs);
      const from = setOf(client);
      return takeFrom(find(from, networkTag, now), now);
    },
    hasLeft(client, nowMs) {
      if (isExempt(client)) return true;
      const now = setTime(nowMs);
      const from = setOf(client);
      for (let bucket = from; bucket < from + WAYS * BUCKET; bucket += BUCKET)
        if (table[bucket + NETWORK] === networkTag) return used(bucket, now) + interval <= window;
      return true;
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
