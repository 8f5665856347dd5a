import { HEADER_LENGTH } from '../../dns/numbers.ts';
import { nameEnd } from '../../kit/wire-name.ts';
import type { UpstreamQuestion } from '../upstream/upstream-query.ts';
import { entryWord, offsetOf, recordField, stateWord, viewCache, WORDS_OF_ENTRY } from './cache-layout.ts';

export type PrefetchDeps = {
  readonly seconds: () => number;
  readonly refresh: (question: UpstreamQuestion, owner: number) => Promise<void>;
};

/**
 * Reading an entry is a CPU cache miss, so each entry is scanned only every four seconds, and read again in the second in which it is due.
 * A new entry is due after eight seconds at the earliest.
 */
const SCAN_SECONDS = 4;
/** Scanning the whole index at once would delay queries, so it is scanned in parts. */
const PARTS = 64;
const EVERY_MS = (SCAN_SECONDS * 1_000) / PARTS;
const MOST_AT_ONCE = 20;
/** The scan waits while more records are due. */
const MOST_WAITING = 10_000;
/** Answers with a shorter TTL are not prefetched: they would be queried continuously. */
const MIN_TTL = 10;
const LAST_SHARE = 10;
const HAS_SUBNET = 4;
const NEVER = Number.POSITIVE_INFINITY;

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
  /** Positions of records, by the second (modulo `SCAN_SECONDS`) in which they are due. */
  const later: number[][] = Array.from({ length: SCAN_SECONDS }, () => []);
  /** Positions of due records; some may no longer be due, or were overwritten. */
  const due: number[] = [];
  let lookedAt = seconds();

  /** Seconds until the record is due; `NEVER` if it will not be prefetched. */
  const dueIn = (recordAt: number, now: number): number => {
    const ttl = words.getUint32(recordAt + recordField.ttlSeconds, true);
    const left = words.getUint32(recordAt + recordField.storedAt, true) + ttl - now;
    const isForAll = (words.getUint32(recordAt + recordField.flags, true) & HAS_SUBNET) === 0;
    if (!isForAll || ttl < MIN_TTL || left <= 0) return NEVER;
    return Math.max(0, left - Math.floor(Math.max(2, ttl / LAST_SHARE)));
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

  const prefetch = (position: number, now: number): void => {
    if (!isLive(position)) return;
    const recordAt = offsetOf(views, position);
    const isUsed = words.getUint32(recordAt + recordField.isTouched, true) !== 0;
    if (!isUsed || dueIn(recordAt, now) !== 0) return;
    const question = questionAt(recordAt);
    const owner = words.getUint32(recordAt + recordField.owner, true);
    // Another thread may have overwritten the record in the meantime.
    if (!isLive(position)) return;
    // Cleared before the query is sent, so that a failed one is not retried every second.
    words.setUint32(recordAt + recordField.isTouched, 0, true);
    running += 1;
    count += 1;
    void refresh(question, owner).finally(() => {
      running -= 1;
    });
  };

  const scanPart = (now: number): void => {
    const end = Math.min(index.length, next + partLength);
    const start = next;
    next = end === index.length ? 0 : end;
    for (let at = start; at < end; at += WORDS_OF_ENTRY) {
      if (index[at + entryWord.isUsed] !== 1) continue;
      const position = index[at + entryWord.position]!;
      if (!isLive(position)) continue;
      const inSeconds = dueIn(offsetOf(views, position), now);
      if (inSeconds < SCAN_SECONDS) (inSeconds === 0 ? due : later[(now + inSeconds) % SCAN_SECONDS]!).push(position);
    }
  };

  const look = (): void => {
    const now = seconds();
    // More than one second only if the thread was delayed.
    for (let second = Math.max(lookedAt, now - SCAN_SECONDS) + 1; second <= now; second++)
      for (const position of later[second % SCAN_SECONDS]!.splice(0)) due.push(position);
    lookedAt = now;
    if (due.length < MOST_WAITING) scanPart(now);
    while (running < MOST_AT_ONCE && due.length > 0) prefetch(due.pop()!, now);
  };

  const timer = setInterval(look, EVERY_MS).unref();
  return { stop: (): void => clearInterval(timer), count: (): number => count };
}
