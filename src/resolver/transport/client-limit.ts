import type { IsInNetworks } from '../identity/networks.ts';

/** Over the limit a query is dropped; every so many slip through as a truncated answer, so that a real client tries TCP. */
export type Allowance = 'pass' | 'drop' | 'slip';

/** `nowMs` is a clock that all threads share and that never goes back far: performance.now() is another in each thread. */
export type ClientLimit = {
  readonly take: (client: Uint8Array, nowMs: number) => Allowance;
  /** Whether the next one would pass; takes nothing. */
  readonly hasLeft: (client: Uint8Array, nowMs: number) => boolean;
};

export type ClientLimitOptions = {
  /** From clientLimitMemory; threads that share it share the limit. */
  readonly memory: SharedArrayBuffer;
  /** 8 bytes, the same for all that share the memory. Who does not know them cannot choose whom he collides with. */
  readonly secret: Uint8Array;
  readonly queries?: number;
  readonly seconds?: number;
  /** Every how many of those over the limit slip through; 0 is none. */
  readonly slip?: number;
  /** Clients without a limit; loopback where nothing is given. */
  readonly isExempt?: IsInNetworks;
};

const WAYS = 4;
// Of one bucket: whose it is, when it will be full again, how many queries were too many, the second it was last taken from.
const WHOSE = 0;
const FULL_AT = 1;
const OVER = 2;
const SEEN = 3;
const BUCKET = 4;
// Times are 32 bits that wrap around after some 70 minutes; only differences count.
const TICKS_PER_MS = 1024;

/** A power of two of buckets. */
export const clientLimitMemory = (buckets = 65_536): SharedArrayBuffer => new SharedArrayBuffer(buckets * BUCKET * 4);

/**
 * So many queries in so many seconds for each /24 of IPv4 and /56 of IPv6: the whole number at once, then as they come
 * back one by one. A bucket is one time, that at which it will be full again, so a query costs one comparison and one
 * exchange. Memory is fixed: a new block takes the place of the one of four that has used least of its own.
 */
export function clientLimit(options: ClientLimitOptions): ClientLimit {
  const { memory, secret, queries = 300, seconds = 10, slip = 2, isExempt = isLoopback } = options;
  const table = new Int32Array(memory);
  const sets = table.length / BUCKET / WAYS;
  const interval = Math.max(1, Math.round((seconds * 1000 * TICKS_PER_MS) / queries));
  const window = queries * interval;
  const [key0, key1] = [word(secret, 0), word(secret, 4)];
  let nowSecond = 0;

  // Two threads that meet in a bucket may each believe an old value for a moment; only what is taken is exchanged safely.
  const used = (bucket: number, now: number): number => {
    // Without this, who comes back when the clock has gone round would be taken for one who never left.
    if (((nowSecond - table[bucket + SEEN]!) | 0) > seconds + 1) return 0;
    const rest = (table[bucket + FULL_AT]! - now) | 0;
    // More than a whole bucket cannot be used: that is a time from before the clock went round.
    return rest > 0 && rest <= window ? rest : 0;
  };

  /** The bucket of this block: its own, or that of the one that will miss it least. */
  const find = (from: number, whose: number, now: number): number => {
    let least = from;
    for (let bucket = from; bucket < from + WAYS * BUCKET; bucket += BUCKET) {
      if (table[bucket + WHOSE] === whose) return bucket;
      if (used(bucket, now) < used(least, now)) least = bucket;
    }
    table[least + WHOSE] = whose;
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

  let whose = 0;
  /** Finds the set of the client's network and leaves its name in `whose`. */
  const setOf = (client: Uint8Array): number => {
    const isV4 = client.length === 4;
    // The first 24 or 56 bits and the family; nothing else of the address counts.
    const first = isV4 ? word(client, 0) >>> 8 : word(client, 0);
    const second = isV4 ? 4 << 24 : (word(client, 4) >>> 8) | (6 << 24);
    const place = mix(second ^ mix(first ^ key0) ^ key1);
    whose = mix(first ^ mix(second + key0) ^ Math.imul(key1, 0x9e3779b1)) || 1;
    return ((place >>> 0) % sets) * WAYS * BUCKET;
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
      return takeFrom(find(from, whose, now), now);
    },
    hasLeft(client, nowMs) {
      if (isExempt(client)) return true;
      const now = setTime(nowMs);
      const from = setOf(client);
      for (let bucket = from; bucket < from + WAYS * BUCKET; bucket += BUCKET)
        if (table[bucket + WHOSE] === whose) return used(bucket, now) + interval <= window;
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
