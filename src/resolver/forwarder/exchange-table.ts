import { HEADER_LENGTH } from '../../dns/numbers.ts';
import { foldByte } from '../../kit/fold-byte.ts';
import type { QueryContext } from '../pipeline/query-context.ts';

const NONE = -1;
const MAX_NAME = 255;
// A power of two, for the hash of keys.
const BUCKETS = 16_384;
const DOMAINS = 65_536;

export type ExchangeKey = { readonly keyHigh: number; readonly keyLow: number };

/** Upstream queries in flight of one thread, in typed arrays, so that queries allocate nothing. An exchange is an index into them. */
export function createExchangeTable(capacity: number) {
  const keyHigh = new Int32Array(capacity);
  const keyLow = new Int32Array(capacity);
  const allTypesHigh = new Int32Array(capacity);
  const allTypesLow = new Int32Array(capacity);
  const type = new Uint16Array(capacity);
  const dnsClass = new Uint16Array(capacity);
  const flags = new Uint8Array(capacity);
  const owner = new Uint16Array(capacity);
  const id = new Uint16Array(capacity);
  const target = new Uint8Array(capacity);
  const socket = new Uint16Array(capacity);
  const sentAt = new Float64Array(capacity);
  const mismatches = new Uint8Array(capacity);
  const suspectAt = new Float64Array(capacity);
  const generation = new Uint32Array(capacity);
  const nameLength = new Uint8Array(capacity);
  // Question name as sent, with its randomized case.
  const names = new Uint8Array(capacity * MAX_NAME);
  const domain = new Uint16Array(capacity);
  const firstWaiting = new Int32Array(capacity);

  const nextInBucket = new Int32Array(capacity);
  const buckets = new Int32Array(BUCKETS).fill(NONE);
  const byDomain = new Uint16Array(DOMAINS);
  const free = Int32Array.from({ length: capacity }, (_, i) => capacity - 1 - i);
  let freeCount = capacity;

  const bucketOf = (low: number): number => low & (BUCKETS - 1);

  const isName = (index: number, bytes: Uint8Array, at: number, end: number): boolean => {
    if (nameLength[index] !== end - at) return false;
    const from = index * MAX_NAME;
    for (let i = 0; i < end - at; i++) if (foldByte(names[from + i]!) !== foldByte(bytes[at + i]!)) return false;
    return true;
  };

  return {
    capacity,
    id,
    target,
    socket,
    sentAt,
    mismatches,
    suspectAt,
    generation,
    firstWaiting,
    owner,
    keyHigh,
    keyLow,
    count: (): number => capacity - freeCount,
    /** The exchange in flight for the same question, or -1. */
    find(key: ExchangeKey, bytes: Uint8Array, at: number, end: number): number {
      for (let index = buckets[bucketOf(key.keyLow)]!; index !== NONE; index = nextInBucket[index]!)
        if (keyLow[index] === key.keyLow && keyHigh[index] === key.keyHigh && isName(index, bytes, at, end))
          return index;
      return NONE;
    },
    /** Number of exchanges in flight for names with the same last two labels; `hash` is from `domainHash`. */
    inDomain: (hash: number): number => byDomain[hash]!,
    /** Adds the query in the buffer `query`; returns -1 if the table is full. */
    add(context: QueryContext, query: Uint8Array, domainNumber: number): number {
      if (freeCount === 0) return NONE;
      const index = free[--freeCount]!;
      const { question } = context;
      keyHigh[index] = context.keyHigh;
      keyLow[index] = context.keyLow;
      allTypesHigh[index] = context.allTypesHigh;
      allTypesLow[index] = context.allTypesLow;
      type[index] = question.type;
      dnsClass[index] = question.class;
      flags[index] = (question.dnssecOk ? 1 : 0) | (question.checkingDisabled ? 2 : 0);
      owner[index] = context.client!.accountSlot;
      const length = question.nameEnd - question.nameAt;
      nameLength[index] = length;
      const from = index * MAX_NAME;
      for (let i = 0; i < length; i++) names[from + i] = query[HEADER_LENGTH + i]!;
      mismatches[index] = 0;
      suspectAt[index] = 0;
      firstWaiting[index] = NONE;
      domain[index] = domainNumber;
      byDomain[domainNumber]! += 1;
      const bucket = bucketOf(context.keyLow);
      nextInBucket[index] = buckets[bucket]!;
      buckets[bucket] = index;
      return index;
    },
    remove(index: number): void {
      const bucket = bucketOf(keyLow[index]!);
      if (buckets[bucket] === index) buckets[bucket] = nextInBucket[index]!;
      else {
        let before = buckets[bucket]!;
        while (nextInBucket[before] !== index) before = nextInBucket[before]!;
        nextInBucket[before] = nextInBucket[index]!;
      }
      byDomain[domain[index]!]! -= 1;
      generation[index]! += 1;
      free[freeCount++] = index;
    },
    /** Key of an answer that holds for all types of the name. */
    allTypesKey: (index: number): ExchangeKey => ({ keyHigh: allTypesHigh[index]!, keyLow: allTypesLow[index]! }),
    /** The question, with the name as sent. */
    question(index: number) {
      const from = index * MAX_NAME;
      return {
        name: names.slice(from, from + nameLength[index]!),
        type: type[index]!,
        class: dnsClass[index]!,
        dnssecOk: (flags[index]! & 1) !== 0,
        checkingDisabled: (flags[index]! & 2) !== 0,
      };
    },
  };
}

/** Hash of the last two labels of a name, roughly its registered domain. */
export function domainHash(bytes: Uint8Array, at: number, end: number): number {
  let before = at;
  let last = at;
  for (let label = at; label < end - 1; label += bytes[label]! + 1) {
    before = last;
    last = label;
  }
  let hash = 0x811c9dc5;
  for (let i = before; i < end; i++) hash = Math.imul(hash ^ foldByte(bytes[i]!), 0x01000193);
  return (hash ^ (hash >>> 16)) & (DOMAINS - 1);
}
