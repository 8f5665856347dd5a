import { rcodes } from '../../dns/numbers.ts';
import { type Kept, keptAnswer } from '../cache/cache-entry.ts';
import { keyHigh, keyLow, kindBits } from '../cache/cache-key.ts';
import { RECORD_HEADER } from '../cache/cache-layout.ts';
import type { CacheReader } from '../cache/read-cache.ts';
import { type CacheWriter, keptFlags } from '../cache/write-cache.ts';
import type { UpstreamAnswer } from '../upstream/upstream-answer.ts';
import { ORDINARY, type Via } from '../upstream/upstream-group.ts';
import type { UpstreamQuestion } from '../upstream/upstream-query.ts';

/** What is known of a question, wherever from. */
export type Resolved =
  | { readonly kind: 'kept'; readonly kept: Kept; readonly ageSeconds: number }
  /** Its time is over, and nobody knows better at the moment (RFC 8767). */
  | { readonly kind: 'stale'; readonly kept: Kept }
  | { readonly kind: 'failed'; readonly why: Extract<UpstreamAnswer, { kind: 'failed' }>['why'] };

export type ResolveDeps = {
  readonly reader: CacheReader;
  readonly writer: CacheWriter;
  readonly upstreams: { readonly resolve: (question: UpstreamQuestion, via: Via) => Promise<UpstreamAnswer> };
  /** The fingerprint of a name, as the cache is asked for it. */
  readonly fingerprint: (name: Uint8Array) => { readonly high: number; readonly low: number };
  /** Seconds of a clock that only goes forward. */
  readonly seconds: () => number;
};

export type Resolve = (question: UpstreamQuestion, owner: number, via: Via) => Promise<Resolved>;

const MAX_STALE_SECONDS = 86_400;
// Clients give up after two seconds: what is stale is better than nothing just before.
const STALE_AFTER_MS = 1_800;
// A question that failed is not asked again at once while something stale is there to be said.
const STALE_AGAIN_SECONDS = 30;

/** Answers from the cache, or from upstream through the cache; what upstream does not say in time may be stale. */
export function createResolve({ reader, writer, upstreams, fingerprint, seconds }: ResolveDeps) {
  const failedAt = new Map<string, number>();

  const keyOf = (question: UpstreamQuestion, via: Via) => {
    const { high, low } = fingerprint(question.name);
    const { type, class: klass, dnssecOk, checkingDisabled, clientSubnet } = question;
    const kind = kindBits(type, klass, dnssecOk, checkingDisabled, groupOf(via, clientSubnet));
    return { high: keyHigh(high, kind), low: keyLow(low, kind) };
  };

  const look = (question: UpstreamQuestion, high: number, low: number) => {
    if (!reader.find(high, low)) return undefined;
    const { found, arena, words } = reader;
    const offsetsAt = found.place + RECORD_HEADER;
    const itemsAt = offsetsAt + found.ttlCount * 2;
    const kept: Kept = {
      message: arena.slice(found.messageAt, found.messageAt + found.messageLength),
      ttlOffsets: Uint16Array.from({ length: found.ttlCount }, (_, i) => words.getUint16(offsetsAt + i * 2, true)),
      items: arena.slice(itemsAt, itemsAt + found.itemsLength),
      ttlSeconds: found.ttlSeconds,
    };
    const ageSeconds = seconds() - found.storedAt;
    reader.touch();
    return reader.isStillThere() && isAbout(kept, question.name) ? { kept, ageSeconds } : undefined;
  };

  const ask = async (question: UpstreamQuestion, owner: number, via: Via, { high, low }: Key): Promise<Resolved> => {
    const answer = await upstreams.resolve(question, via);
    if (answer.kind === 'failed') return { kind: 'failed', why: answer.why };
    const kept = keptAnswer(answer);
    if (!kept) return { kind: 'failed', why: 'malformed' };
    const now = seconds();
    const { dnssecOk, checkingDisabled, clientSubnet } = question;
    // What is not for everybody is not asked for again ahead of time.
    const flags = keptFlags(dnssecOk, checkingDisabled, clientSubnet !== undefined || via.group !== 0);
    if (kept.ttlSeconds > 0) writer.put({ ...kept, keyHigh: high, keyLow: low, now, owner, flags });
    return { kind: 'kept', kept, ageSeconds: 0 };
  };

  const resolve: Resolve = async (question, owner, via) => {
    const place = keyOf(question, via);
    const { high, low } = place;
    const found = look(question, high, low);
    if (found && found.ageSeconds < found.kept.ttlSeconds) return { kind: 'kept', ...found };
    const isUsable = found && found.ageSeconds < found.kept.ttlSeconds + MAX_STALE_SECONDS;
    if (!isUsable) return ask(question, owner, via, place);
    const stale: Resolved = { kind: 'stale', kept: found.kept };
    const key = `${high} ${low}`;
    if (seconds() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < STALE_AGAIN_SECONDS) return stale;
    const asked = ask(question, owner, via, place);
    const first = await Promise.race([asked, after(STALE_AFTER_MS, stale)]);
    if (first !== stale && !isFailure(first)) {
      failedAt.delete(key);
      return first;
    }
    if (failedAt.size > 10_000) failedAt.clear();
    failedAt.set(key, seconds());
    // Should it still come, it may as well be known.
    void asked.then((late) => !isFailure(late) && failedAt.delete(key));
    return stale;
  };

  return {
    resolve,
    /** Asks upstream although the answer is known: it soon will not be. */
    refresh: async (question: UpstreamQuestion, owner: number): Promise<void> => {
      await ask(question, owner, ORDINARY, keyOf(question, ORDINARY));
    },
  };
}

const after = <T>(ms: number, value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms, value).unref());

const isFailure = (resolved: Resolved): boolean =>
  resolved.kind === 'failed' ||
  (resolved.kind === 'kept' && [rcodes.SERVFAIL, rcodes.REFUSED].some((code) => code === codeOf(resolved.kept)));

const codeOf = ({ message }: Kept): number => message[3]! & 0xf;

/** Kept answers have their name in lower case, and so has the question by now. */
function isAbout({ message }: Kept, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (message[12 + i] !== folded(name[i]!)) return false;
  return true;
}

const folded = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

type Key = { readonly high: number; readonly low: number };

/** Whose answers they are: of these upstreams, for this network. */
const groupOf = ({ group }: Via, subnet: Uint8Array | undefined): number =>
  subnet ? Math.imul(group, 0x01000193) ^ subnetGroup(subnet) : group;

/** A number for a network; never 0, which is everybody. */
function subnetGroup(subnet: Uint8Array): number {
  let group = 0x811c9dc5;
  for (const byte of subnet) group = Math.imul(group ^ byte, 0x01000193);
  return group | 1;
}
