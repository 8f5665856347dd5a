import { accept } from '../../dns/accept.ts';
import { appendRecord, newDraft } from '../../dns/answers.ts';
import { checkCookie } from '../../dns/cookies.ts';
import { extendedErrors } from '../../dns/edns.ts';
import { classes, rcodes, types, unanswerable } from '../../dns/numbers.ts';
import { newQuestion, type Question } from '../../dns/question.ts';
import { hostInfoData } from '../../dns/record-data.ts';
import type { Decider, Query } from '../../engine/match/decide.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { keyHigh, keyLow, kindBits } from '../cache/cache-key.ts';
import { RECORD_HEADER } from '../cache/cache-layout.ts';
import type { CacheReader } from '../cache/read-cache.ts';
import { isProofQuestion, provesAddress } from '../identity/address-proof.ts';
import type { Standing, Stands } from '../identity/client.ts';
import type { Blocking } from '../policy/blocking.ts';
import { type Composition, compositionNow, type Policy } from '../policy/policy.ts';
import type { ClientLimit } from '../transport/client-limit.ts';
import type { AnswerAtOnce, Asked } from '../transport/listener.ts';
import type { ItemFilter } from './filter-targets.ts';
import type { Notes } from './query-recorder.ts';
import { type Replies, reason } from './reply.ts';
import { specialName } from './special-names.ts';
import { codeOf, writeBlocked } from './write-blocked.ts';
import { type KeptMessage, writeKept } from './write-cached-answer.ts';

export type AtOnceDeps = {
  readonly standingOf: (asked: Asked, question: Question) => Stands;
  readonly decider: Decider;
  readonly cache: CacheReader;
  readonly items: ItemFilter;
  readonly replies: Replies;
  readonly notes: Notes;
  /** Only plain UDP is limited: elsewhere a client cannot pretend to be another. */
  readonly limit: Pick<ClientLimit, 'take'>;
  readonly cookieSecrets: readonly Uint8Array[];
  readonly structuredReason: Uint8Array;
  readonly clock: { readonly wallMs: () => number; readonly seconds: () => number };
  /** Whether answers differ by the network of the client: then none is for everybody. */
  readonly tellsSubnet: boolean;
};

const LATER = -1;
const TRUNCATED = 0x02;
const prohibited = reason(extendedErrors.prohibited);
const minimal = hostInfoData('RFC8482', '')!;
const MINIMAL_TTL = 3600;

/**
 * Answers what can be answered from memory: faults, strangers, blocked names, cached names. The order of its steps is the walk of
 * every query; `answer-later.ts` walks the same way and waits where it must. One for a thread; nothing in it allocates.
 */
export function createAnswerAtOnce(deps: AtOnceDeps): AnswerAtOnce {
  const { decider, cache, items, replies, notes, clock } = deps;
  const question = newQuestion();
  const draft = newDraft(new Uint8Array(0));
  const place = { into: draft.bytes, at: 0, room: 0 };
  const query: { -readonly [Key in keyof Query]: Query[Key] } = {
    name: draft.bytes,
    at: 0,
    type: 0,
    client: undefined,
  };
  const kept: KeptMessage = {
    bytes: cache.arena,
    at: 0,
    length: 0,
    offsets: cache.words,
    offsetsAt: 0,
    offsetCount: 0,
  };

  const withCode = (asked: Asked, code: number, now: number, why?: Uint8Array): number => {
    replies.start(draft, asked, question, place.into, place.at, replies.allowed(asked, question, place.room), code);
    return replies.finish(draft, asked, question, code, now, why);
  };

  /** Too much of a client whose address may be forged: mostly nothing, now and then the advice to come by TCP. */
  const limited = (asked: Asked, now: number): number => {
    const taken = deps.limit.take(asked.client, now);
    if (taken === 'pass' || hasOurCookie(asked, now)) return LATER;
    return taken === 'drop' ? 0 : withAdvice(asked, now);
  };

  /** Advises the client to ask again over TCP. */
  const withAdvice = (asked: Asked, now: number): number => {
    const length = withCode(asked, rcodes.NOERROR, now);
    place.into[place.at + 2]! |= TRUNCATED;
    return length;
  };

  const hasOurCookie = (asked: Asked, now: number): boolean => {
    const { cookieAt, cookieLength } = question;
    if (cookieLength === 0) return false;
    const seconds = (now / 1000) >>> 0;
    const state = checkCookie(asked.bytes, cookieAt, cookieLength, asked.client, deps.cookieSecrets, seconds);
    return state === 'valid' || state === 'renew';
  };

  const fromCache = (asked: Asked, standing: Standing, composition: Composition, isFiltered: boolean, now: number) => {
    const { high, low, count } = decider.keys;
    const kind = kindBits(
      question.type,
      question.class,
      question.dnssecOk,
      question.checkingDisabled,
      standing.via.group,
    );
    if (!cache.find(keyHigh(high[count]!, kind), keyLow(low[count]!, kind))) return LATER;
    const { found } = cache;
    const age = clock.seconds() - found.storedAt;
    if (age >= found.ttlSeconds || !isSameQuestion(asked, found.messageAt)) return LATER;
    const itemsAt = found.place + RECORD_HEADER + found.ttlCount * 2;
    const blocked = items.look(
      cache.arena,
      itemsAt,
      found.itemsLength,
      asked,
      question,
      standing,
      composition,
      isFiltered,
    );
    if (blocked) {
      if (!cache.isStillThere()) return LATER;
      return withBlocked(asked, standing, blocked, 'RESPONSE_BLOCKED', now);
    }
    kept.at = found.messageAt;
    kept.length = found.messageLength;
    kept.offsetsAt = found.place + RECORD_HEADER;
    kept.offsetCount = found.ttlCount;
    const length = writeKept(replies, draft, asked, question, kept, age, place, now);
    if (length === LATER || !cache.isStillThere()) return LATER;
    cache.touch();
    return length;
  };

  /** Fingerprints may be alike, however seldom; names that are alike are the same. */
  const isSameQuestion = (asked: Asked, messageAt: number): boolean => {
    const length = question.nameEnd - question.nameAt;
    for (let i = 0; i < length; i++)
      if (folded(asked.bytes[question.nameAt + i]!) !== folded(cache.arena[messageAt + 12 + i]!)) return false;
    return true;
  };

  const withBlocked = (
    asked: Asked,
    standing: Standing,
    blocked: Verdict,
    status: 'REQUEST_BLOCKED' | 'RESPONSE_BLOCKED',
    now: number,
  ) => {
    const blocking = blockingFor(standing.policy(), blocked);
    if (standing.isRecorded) {
      notes.rule(blocked, standing);
      notes.address(place.into, 0, 0);
    }
    const length = writeBlocked(replies, draft, asked, question, blocking, place, now, deps.structuredReason);
    if (standing.isRecorded) notes.answered(standing, asked, question, status, codeOf(blocking), now);
    return length;
  };

  /** All that whoever asks for everything needs (RFC 8482). */
  const withMinimum = (asked: Asked, standing: Standing, now: number): number => {
    const allowed = replies.allowed(asked, question, place.room);
    replies.start(draft, asked, question, place.into, place.at, allowed, rcodes.NOERROR);
    appendRecord(draft, 'answer', types.HINFO, MINIMAL_TTL, minimal);
    if (standing.isRecorded) {
      notes.noRule();
      notes.address(place.into, 0, 0);
      notes.answered(standing, asked, question, 'NONE', rcodes.NOERROR, now);
    }
    return replies.finish(draft, asked, question, rcodes.NOERROR, now);
  };

  /** Refused like to anybody, but noted: whose device asks for such things is worth knowing. */
  const withRefusal = (asked: Asked, standing: Standing, code: number, now: number, why?: Uint8Array): number => {
    if (standing.isRecorded) {
      notes.noRule();
      notes.address(place.into, 0, 0);
      notes.answered(standing, asked, question, 'NONE', code, now);
    }
    return withCode(asked, code, now, why);
  };

  /** What is answered whoever asks: a fault, or a type that nobody is answered. */
  const forAnybody = (asked: Asked, now: number): number => {
    const { type, code } = question;
    if (type === 0 || unanswerable(type) !== code) return withCode(asked, code, now);
    const stands = deps.standingOf(asked, question);
    if (stands.kind === 'later') return LATER;
    return stands.kind === 'known' ? withRefusal(asked, stands, code, now) : withCode(asked, code, now);
  };

  /** Whom it is for is known, and that they may ask. */
  const forKnown = (asked: Asked, standing: Standing, now: number): number => {
    if (specialName(asked.bytes, question.nameAt, question.nameEnd) !== undefined) return LATER;
    const composition = compositionNow(standing.policy(), standing.isProtected, now);
    query.name = asked.bytes;
    query.at = question.nameAt;
    query.type = question.type;
    query.client = standing.client;
    const verdict = decider.decide(query, composition.profile);
    if (verdict.kind === 'rewrite') return LATER;
    if (verdict.kind === 'block') return withBlocked(asked, standing, verdict, 'REQUEST_BLOCKED', now);
    const isAllowed = verdict.kind === 'allow';
    if (standing.isRecorded) {
      if (isAllowed) notes.rule(verdict, standing);
      else notes.noRule();
    }
    const length = fromCache(asked, standing, composition, !isAllowed, now);
    if (length > 0 && items.blocked === undefined && standing.isRecorded)
      notes.answered(
        standing,
        asked,
        question,
        isAllowed ? 'REQUEST_ALLOWED' : items.isAllowed ? 'RESPONSE_ALLOWED' : 'NONE',
        place.into[place.at + 3]!,
        now,
      );
    return length;
  };

  return (asked, into, at, room) => {
    place.into = into;
    place.at = at;
    place.room = room;
    const accepted = accept(asked.bytes, asked.at, asked.length, question);
    if (accepted === 'drop') return 0;
    const now = clock.wallMs();
    if (asked.transport === 'udp') {
      const cut = limited(asked, now);
      if (cut !== LATER) return cut;
    }
    if (accepted === 'answer') return forAnybody(asked, now);
    if (isProofQuestion(asked.bytes, question)) {
      if (asked.transport === 'udp') return withAdvice(asked, now);
      if (provesAddress(asked)) return LATER;
    }
    const stands = deps.standingOf(asked, question);
    if (stands.kind === 'later') return LATER;
    if (stands.kind === 'drop') return 0;
    if (stands.kind === 'stranger') return withCode(asked, rcodes.REFUSED, now, prohibited);
    if (!stands.mayAsk(asked.client, undefined, asked.bytes, question.nameAt, question.type)) return 0;
    // Who does not want us to ask others gets nothing: whether a name is cached is nobody else's business.
    if (!question.recursionDesired) return withRefusal(asked, stands, rcodes.REFUSED, now, prohibited);
    if (question.class !== classes.IN) return LATER;
    if (question.type === types.ANY) return withMinimum(asked, stands, now);
    if (deps.tellsSubnet && question.subnetLength > 0) return LATER;
    return forKnown(asked, stands, now);
  };
}

const folded = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/** Dangerous domains may be blocked in a way of their own. */
export const blockingFor = (policy: Policy, { source }: Pick<Verdict, 'source'>): Blocking =>
  source === 'dangerous domains' ? policy.safeBrowsingBlocking : policy.blocking;
