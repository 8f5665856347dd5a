import { HEADER_LENGTH } from '../../dns/numbers.ts';
import { nameEnd } from '../../kit/wire-name.ts';
import type { UpstreamQuestion } from '../upstream/upstream-query.ts';
import { entryWord, offsetOf, recordField, stateWord, viewCache, WORDS_OF_ENTRY } from './cache-layout.ts';

export type PrefetchDeps = {
  readonly seconds: () => number;
  readonly refresh: (question: UpstreamQuestion, owner: number) => Promise<void>;
};

const EVERY_MS = 1_000;
/** Scanning the whole index at once would delay queries, so it is scanned in parts. */
const PARTS = 16;
const MOST_AT_ONCE = 20;
/** Answers with a shorter TTL are not prefetched: they would be queried all the time. */
const MIN_TTL = 10;
const LAST_SHARE = 10;
const HAS_SUBNET = 4;

/**
 * Queries the upstream again for used entries that are about to expire, so that clients do not wait for popular names.
 * Runs in the resolver thread and scans one part of the index at a time.
 */
export function openPrefetch(memory: SharedArrayBuffer, { seconds, refresh }: PrefetchDeps) {
  const views = viewCache(memory);
  const { state, index, arena, words } = views;
  const partLength = Math.ceil(index.length / WORDS_OF_ENTRY / PARTS) * WORDS_OF_ENTRY;
  let next = 0;
  let running = 0;
  let count = 0;

  const isDue = (recordAt: number, now: number): boolean => {
    const ttl = words.getUint32(recordAt + recordField.ttlSeconds, true);
    const left = words.getUint32(recordAt + recordField.storedAt, true) + ttl - now;
    const isUsed = words.getUint32(recordAt + recordField.isTouched, true) !== 0;
    const isForAll = (words.getUint32(recordAt + recordField.flags, true) & HAS_SUBNET) === 0;
    return isUsed && isForAll && ttl >= MIN_TTL && left > 0 && left <= Math.max(2, ttl / LAST_SHARE);
  };

  const isLive = (position: number): boolean => ((position - Atomics.load(state, stateWord.live)) | 0) >= 0;

  const questionAt = (recordAt: number): UpstreamQuestion => {
    const start = recordAt + words.getUint16(recordAt + recordField.messageAt, true) + HEADER_LENGTH;
    const end = nameEnd(arena, start);
    const flags = words.getUint32(recordAt + recordField.flags, true);
    return {
      name: arena.slice(start, end),
      type: (arena[end]! << 8) | arena[end + 1]!,
      class: (arena[end + 2]! << 8) | arena[end + 3]!,
      dnssecOk: (flags & 1) !== 0,
      checkingDisabled: (flags & 2) !== 0,
    };
  };

  const look = (): void => {
    const now = seconds();
    const end = Math.min(index.length, next + partLength);
    const start = next;
    next = end === index.length ? 0 : end;
    for (let at = start; at < end && running < MOST_AT_ONCE; at += WORDS_OF_ENTRY) {
      if (index[at + entryWord.isUsed] !== 1) continue;
      const position = index[at + entryWord.position]!;
      if (!isLive(position)) continue;
      const recordAt = offsetOf(views, position);
      if (!isDue(recordAt, now)) continue;
      const question = questionAt(recordAt);
      const owner = words.getUint32(recordAt + recordField.owner, true);
      // Another thread may have overwritten the record in the meantime.
      if (!isLive(position)) continue;
      // If it fails, it is not retried every second.
      words.setUint32(recordAt + recordField.isTouched, 0, true);
      running += 1;
      count += 1;
      void refresh(question, owner).finally(() => {
        running -= 1;
      });
    }
  };

  const timer = setInterval(look, EVERY_MS / PARTS).unref();
  return { stop: (): void => clearInterval(timer), count: (): number => count };
}
