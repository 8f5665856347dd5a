import { rcodes } from '../../dns/numbers.ts';
import { foldByte } from '../../kit/fold-byte.ts';
import { type CachedAnswer, isForAllTypes, toCachedAnswer } from '../cache/cache-entry.ts';
import { keyHigh, keyLow, kindBits, kindOfAllTypes } from '../cache/cache-key.ts';
import { RECORD_HEADER } from '../cache/cache-layout.ts';
import type { CacheReader } from '../cache/read-cache.ts';
import { type CacheWriter, entryFlags } from '../cache/write-cache.ts';
import type { Claims } from '../forwarder/claims.ts';
import type { UpstreamAnswer } from '../upstream/upstream-answer.ts';
import { DEFAULT_GROUP, type UpstreamGroup } from '../upstream/upstream-group.ts';
import type { UpstreamQuestion } from '../upstream/upstream-query.ts';

/** Result of a lookup in the cache or at an upstream. */
export type Resolved =
  | {
      readonly kind: 'fresh';
      readonly answer: CachedAnswer;
      readonly ageSeconds: number;
      /** Data of the upstream's extended error; not cached. */
      readonly reason?: Uint8Array | undefined;
    }
  /** Expired; no upstream has a newer answer at the moment (RFC 8767). */
  | { readonly kind: 'stale'; readonly answer: CachedAnswer }
  | { readonly kind: 'failed'; readonly why: Extract<UpstreamAnswer, { kind: 'failed' }>['why'] };

export type ResolveDeps = {
  readonly reader: CacheReader;
  readonly writer: CacheWriter;
  readonly upstreams: {
    readonly resolve: (question: UpstreamQuestion, group: UpstreamGroup) => Promise<UpstreamAnswer>;
  };
  /** Keyed hash of a name, the same as that of the decider. */
  readonly fingerprint: (name: Uint8Array) => { readonly high: number; readonly low: number };
  /** Monotonic seconds. */
  readonly seconds: () => number;
  /** Questions in flight in other threads. */
  readonly claims?: Pick<Claims, 'claim' | 'wait' | 'release'>;
};

/** `owner`: the account slot that the cache entry is attributed to. */
export type Resolve = (question: UpstreamQuestion, owner: number, group: UpstreamGroup) => Promise<Resolved>;

type Key = { readonly high: number; readonly low: number };
/** Keys of the answer to a question: for its type, and that of an answer for all types of the name. */
type Keys = { readonly exact: Key; readonly allTypes: Key };
type Cached = { readonly answer: CachedAnswer; readonly ageSeconds: number };

// The same as the longest time for which a UDP thread waits for an upstream.
const MAX_SHARED_MS = 1_000;
const MAX_STALE_SECONDS = 86_400;
// Stale answers are sent before clients give up, which many do after two seconds.
const STALE_AFTER_MS = 1_800;
// Time after a failure during which stale answers are returned without querying the upstream.
const STALE_AGAIN_SECONDS = 30;
const MAX_FAILURES = 10_000;

/** Answers from the cache, or from an upstream through the cache. The cache holds only upstream answers. */
export function createResolve({ reader, writer, upstreams, fingerprint, seconds, claims }: ResolveDeps) {
  const failedAt = new Map<string, number>();

  const keysOf = (question: UpstreamQuestion, group: UpstreamGroup): Keys => {
    const { high, low } = fingerprint(question.name);
    const keyOf = (kind: number): Key => ({ high: keyHigh(high, kind), low: keyLow(low, kind) });
    const kind = kindBits(question, cacheGroup(group, question.clientSubnet));
    return { exact: keyOf(kind), allTypes: keyOf(kindOfAllTypes(kind, question)) };
  };

  /** Returns the fresh answer, or the newer one of two expired answers. */
  const readCache = (question: UpstreamQuestion, { exact, allTypes }: Keys): Cached | undefined => {
    const first = readEntry(question, exact);
    if (first && isFresh(first)) return first;
    const second = readEntry(question, allTypes);
    return first && second && !isFresh(second) && first.ageSeconds <= second.ageSeconds ? first : (second ?? first);
  };

  const readEntry = (question: UpstreamQuestion, { high, low }: Key): Cached | undefined => {
    if (!reader.find(high, low)) return undefined;
    const { found, arena, words } = reader;
    const offsetsAt = found.recordAt + RECORD_HEADER;
    const targetsAt = offsetsAt + found.ttlCount * 2;
    const answer: CachedAnswer = {
      message: arena.slice(found.messageAt, found.messageAt + found.messageLength),
      ttlOffsets: Uint16Array.from({ length: found.ttlCount }, (_, i) => words.getUint16(offsetsAt + i * 2, true)),
      targets: arena.slice(targetsAt, targetsAt + found.targetsLength),
      ttlSeconds: found.ttlSeconds,
    };
    const ageSeconds = seconds() - found.storedAt;
    reader.touch();
    return reader.isStillThere() && isAnswerTo(answer, question.name) ? { answer, ageSeconds } : undefined;
  };

  const askUpstream = async (
    question: UpstreamQuestion,
    owner: number,
    group: UpstreamGroup,
    { exact, allTypes }: Keys,
  ): Promise<Resolved> => {
    const upstreamAnswer = await upstreams.resolve(question, group);
    if (upstreamAnswer.kind === 'failed') return { kind: 'failed', why: upstreamAnswer.why };
    const answer = toCachedAnswer(upstreamAnswer);
    if (!answer) return { kind: 'failed', why: 'malformed' };
    const { dnssecOk, checkingDisabled, clientSubnet } = question;
    // Answers for one subnet or one upstream group are not prefetched.
    const flags = entryFlags(dnssecOk, checkingDisabled, clientSubnet !== undefined || group.id !== 0);
    const { high, low } = isForAllTypes(answer) ? allTypes : exact;
    if (answer.ttlSeconds > 0) writer.put({ ...answer, keyHigh: high, keyLow: low, now: seconds(), owner, flags });
    return { kind: 'fresh', answer, ageSeconds: 0, reason: upstreamAnswer.extendedError };
  };

  /** Waits for another thread that has the same question in flight, or queries the upstream. */
  const askOnce = async (
    question: UpstreamQuestion,
    owner: number,
    group: UpstreamGroup,
    keys: Keys,
  ): Promise<Resolved> => {
    const isShared = claims !== undefined && group.kind === 'operator' && question.clientSubnet === undefined;
    if (!isShared) return askUpstream(question, owner, group, keys);
    const { high, low } = keys.exact;
    const claim = claims.claim(high, low);
    if (claim === 'followed') {
      await claims.wait(high, low, MAX_SHARED_MS);
      const cached = readCache(question, keys);
      if (cached && isFresh(cached)) return { kind: 'fresh', ...cached };
    }
    const pendingAnswer = askUpstream(question, owner, group, keys);
    return claim === 'held' ? pendingAnswer.finally(() => claims.release(low)) : pendingAnswer;
  };

  const resolve: Resolve = async (question, owner, group) => {
    const keys = keysOf(question, group);
    const cached = readCache(question, keys);
    if (cached && isFresh(cached)) return { kind: 'fresh', ...cached };
    const isUsable = cached && cached.ageSeconds < cached.answer.ttlSeconds + MAX_STALE_SECONDS;
    if (!isUsable) return askOnce(question, owner, group, keys);
    const stale: Resolved = { kind: 'stale', answer: cached.answer };
    const failureKey = `${keys.exact.high} ${keys.exact.low}`;
    if (seconds() - (failedAt.get(failureKey) ?? Number.NEGATIVE_INFINITY) < STALE_AGAIN_SECONDS) return stale;
    const lookup = askOnce(question, owner, group, keys);
    const first = await Promise.race([lookup, after(STALE_AFTER_MS, stale)]);
    if (first !== stale && !isFailure(first)) {
      failedAt.delete(failureKey);
      return first;
    }
    if (failedAt.size > MAX_FAILURES) failedAt.clear();
    failedAt.set(failureKey, seconds());
    // The lookup continues in the background, so that a late answer is cached.
    void lookup.then((late) => !isFailure(late) && failedAt.delete(failureKey));
    return stale;
  };

  return {
    resolve,
    /** Queries the upstream before the cached answer expires. */
    refresh: async (question: UpstreamQuestion, owner: number): Promise<void> => {
      await askUpstream(question, owner, DEFAULT_GROUP, keysOf(question, DEFAULT_GROUP));
    },
  };
}

const after = <T>(ms: number, value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms, value).unref());

const isFresh = ({ answer, ageSeconds }: Cached): boolean => ageSeconds < answer.ttlSeconds;

const isFailure = (resolved: Resolved): boolean =>
  resolved.kind === 'failed' ||
  (resolved.kind === 'fresh' && [rcodes.SERVFAIL, rcodes.REFUSED].some((code) => code === codeOf(resolved.answer)));

const codeOf = ({ message }: CachedAnswer): number => message[3]! & 0xf;

/** Names in cached messages are in lower case. */
function isAnswerTo({ message }: CachedAnswer, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (message[12 + i] !== foldByte(name[i]!)) return false;
  return true;
}

/** Cache partition for answers of these upstreams to clients of this subnet. */
const cacheGroup = ({ id }: UpstreamGroup, subnet: Uint8Array | undefined): number =>
  subnet ? Math.imul(id, 0x01000193) ^ subnetHash(subnet) : id;

/** Never 0, which is the partition without a subnet. */
function subnetHash(subnet: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of subnet) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash | 1;
}
