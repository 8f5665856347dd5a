import { accept } from '../../dns/accept.ts';
import { checkCookie } from '../../dns/cookies.ts';
import { extendedErrors } from '../../dns/edns.ts';
import { classes, rcodes, types, unanswerable } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import type { Decider, Query } from '../../engine/match/decide.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { foldByte } from '../../kit/fold-byte.ts';
import { isPrivateAddress } from '../../kit/private-address.ts';
import { keyHigh, keyLow, kindBits, kindOfAllTypes } from '../cache/cache-key.ts';
import { RECORD_HEADER } from '../cache/cache-layout.ts';
import type { CacheReader } from '../cache/read-cache.ts';
import { isProofQuestion, provesAddress } from '../identity/address-proof.ts';
import type { ClientResult } from '../identity/client.ts';
import type { ActivityCounter } from '../identity/client-activity.ts';
import type { NameFilter } from '../local-names/name-filter.ts';
import { compositionNow } from '../policy/policy.ts';
import type { ClientLimit } from '../transport/client-limit.ts';
import { type DnsRequest, NEEDS_LOOKUP } from '../transport/listener.ts';
import { firstAddress, targetLength } from './answer-targets.ts';
import { isInChallengeZone } from './certificate-challenges.ts';
import type { TargetFilter } from './filter-targets.ts';
import type { Lookups } from './lookups.ts';
import { type ArrivedAnswer, type QueryContext, ruleClientOf, setAnswer, setCode } from './query-context.ts';
import type { QueryRecorder, Status } from './query-recorder.ts';
import { type Respond, reason } from './respond.ts';
import type { ResponseCounter } from './response-counts.ts';
import { specialAnswer, specialName } from './special-names.ts';
import { mayNeedDns64, needsNoDns64 } from './synthesize-aaaa.ts';
import type { Suffix } from './wire-suffix.ts';

export type StepDeps = {
  /** Identifies the client with the data of this thread. */
  readonly identify: (request: DnsRequest, question: Question) => ClientResult;
  readonly decider: Decider;
  readonly cache: CacheReader;
  readonly targetFilter: TargetFilter;
  readonly respond: Respond;
  readonly recorder: QueryRecorder;
  readonly counts: ResponseCounter;
  readonly activity: Pick<ActivityCounter, 'count'>;
  readonly limit: Pick<ClientLimit, 'take'>;
  readonly cookieSecrets: readonly Uint8Array[];
  readonly clock: { readonly wallMs: () => number; readonly seconds: () => number };
  /** Whether upstreams get the client's subnet (RFC 7871): answers for a subnet are not in the cache partition that is read here. */
  readonly sendsClientSubnet: boolean;
  /** Names of the operator's hosts file, for clients in private networks. */
  readonly hostNames: { readonly filter: NameFilter | undefined };
  /** Zones with ACME challenges: see certificate-challenges.ts. */
  readonly challengeZones: readonly Suffix[];
};

/** `DONE`: the response is known, continue with `respond`. `NEEDS_LOOKUP`: the step must wait, see `createSteps`. */
export type Outcome = typeof NEXT | typeof DONE | typeof NEEDS_LOOKUP;
export const NEXT = 1;
export const DONE = 0;

export type Step = {
  readonly name: string;
  /** Allocates nothing unless it returns `NEEDS_LOOKUP`. */
  readonly run: (context: QueryContext) => Outcome;
  /**
   * The asynchronous part of the step. A step without one repeats the lookup of the nearest earlier step, because the cache entry was
   * overwritten while it was read.
   */
  readonly lookup?: ((context: QueryContext) => Promise<Outcome> | Outcome) | undefined;
};

const prohibited = reason(extendedErrors.prohibited);

/**
 * The steps of every query, in order. A UDP thread has no lookups: it runs the list until a step needs one. If only the answer of an
 * upstream is missing (`isMiss`), its forwarder may request it, and the thread then runs all steps again. Any other query goes to the
 * resolver thread, which runs all steps again, with all clients, and awaits the lookup.
 */
export function createSteps(deps: StepDeps, lookups: Lookups | undefined): readonly Step[] {
  const { decider, cache, targetFilter, recorder, clock } = deps;
  const query: { -readonly [Key in keyof Query]: Query[Key] } = {
    name: new Uint8Array(0),
    at: 0,
    type: 0,
    client: undefined,
  };

  const drop = (context: QueryContext): Outcome => {
    context.response = 'drop';
    return DONE;
  };

  const withCode = (context: QueryContext, code: number, why?: Uint8Array): Outcome => {
    setCode(context, code, why);
    return DONE;
  };

  /** Makes the client retry over TCP. */
  const truncated = (context: QueryContext): Outcome => {
    setCode(context, rcodes.NOERROR);
    context.response = 'truncated';
    return DONE;
  };

  const blockedBy = (context: QueryContext, verdict: Verdict, status: Status): Outcome => {
    const policy = context.client!.policy();
    context.response = 'blocked';
    context.blocking = verdict.source === 'dangerous domains' ? policy.safeBrowsingBlocking : policy.blocking;
    context.status = status;
    if (context.isRecorded) recorder.setRule(verdict, context.client!);
    recorder.clearAddress();
    return DONE;
  };

  const parse = (context: QueryContext): Outcome => {
    const { request, question } = context;
    context.accepted = accept(request.bytes, request.at, request.length, question);
    if (context.accepted === 'drop') return drop(context);
    context.nowMs = clock.wallMs();
    context.startedMs = request.receivedMs ?? context.nowMs;
    return NEXT;
  };

  /** Only for UDP, where source addresses can be forged. Over the limit, most queries are dropped and some are answered truncated. */
  const rateLimit = (context: QueryContext): Outcome => {
    const { request, nowMs } = context;
    if (request.transport !== 'udp' || request.hasPassedRateLimit === true) return NEXT;
    const allowance = deps.limit.take(request.client, nowMs);
    if (allowance === 'pass' || hasValidCookie(context)) return NEXT;
    deps.counts.countRateLimited(allowance === 'drop' ? 'drop' : 'truncate');
    return allowance === 'drop' ? drop(context) : truncated(context);
  };

  const hasValidCookie = ({ request, question, nowMs }: QueryContext): boolean => {
    if (question.cookieLength === 0) return false;
    const seconds = (nowMs / 1000) >>> 0;
    const state = checkCookie(request.bytes, question, request.client, deps.cookieSecrets, seconds);
    return state === 'valid' || state === 'renew';
  };

  /** Answers every client, because the certificate authority is an unknown client. */
  const certificateChallenge = ({ accepted, request, question }: QueryContext): Outcome => {
    if (deps.challengeZones.length === 0 || accepted !== 'ok' || question.class !== classes.IN) return NEXT;
    return isInChallengeZone(deps.challengeZones, request.bytes, question) ? NEEDS_LOOKUP : NEXT;
  };

  const proveAddress = (context: QueryContext): Outcome => {
    const { request, question } = context;
    if (context.accepted !== 'ok' || !isProofQuestion(request.bytes, question)) return NEXT;
    if (request.transport === 'udp') return truncated(context);
    return provesAddress(request) ? NEEDS_LOOKUP : NEXT;
  };

  /** Format errors are answered for every client. Refused types are answered after the client is identified, so that they are recorded. */
  const identify = (context: QueryContext): Outcome => {
    const { request, question } = context;
    if (context.accepted === 'answer' && !isRefusedType(question)) return withCode(context, question.code);
    return useClient(context, deps.identify(request, question));
  };

  const isRefusedType = ({ type, code }: Question): boolean => type !== 0 && unanswerable(type) === code;

  const useClient = (context: QueryContext, client: ClientResult): Outcome => {
    switch (client.kind) {
      case 'known':
        context.client = client;
        context.upstreamGroup = client.upstreamGroup;
        context.isRecorded = client.isRecorded;
        recorder.clear();
        return NEXT;
      case 'needs lookup':
        return NEEDS_LOOKUP;
      case 'drop':
        return drop(context);
      case 'unknown':
        return context.accepted === 'answer'
          ? withCode(context, context.question.code)
          : withCode(context, rcodes.REFUSED, prohibited);
    }
  };

  /** Queries without RD are neither resolved nor answered from the cache, whose content would be revealed (cache snooping). */
  const access = (context: QueryContext): Outcome => {
    const { request, question } = context;
    if (!context.client!.hasAccess(request.client, undefined, request.bytes, question.nameAt, question.type))
      return drop(context);
    if (context.accepted === 'answer') return withCode(context, question.code);
    return question.recursionDesired ? NEXT : withCode(context, rcodes.REFUSED, prohibited);
  };

  /** Queries about the resolver itself: class CHAOS, type ANY (RFC 8482), names that never go upstream. */
  const special = (context: QueryContext): Outcome => {
    const { request, question } = context;
    if (question.class !== classes.IN) return NEEDS_LOOKUP;
    if (question.type === types.ANY) {
      context.response = 'minimal';
      return DONE;
    }
    const name = specialName(request.bytes, question.nameAt, question.nameEnd);
    if (name === undefined) return NEXT;
    const { settings } = context.client!.identity.profile;
    return specialAnswer(name, question.type, settings).kind === 'none' ? NEXT : NEEDS_LOOKUP;
  };

  /** Records and forwarding rules of the account precede filter rules, as in AdGuard Home. */
  const localNames = ({ client, request, question }: QueryContext): Outcome => {
    const { bytes, client: address } = request;
    const { nameAt, nameEnd } = question;
    if (client!.localNames?.mayMatch(bytes, nameAt, nameEnd)) return NEEDS_LOOKUP;
    const { filter } = deps.hostNames;
    if (!filter?.mayMatch(bytes, nameAt, nameEnd)) return NEXT;
    return isPrivateAddress(address, 0, address.length) ? NEEDS_LOOKUP : NEXT;
  };

  const decide = (context: QueryContext): Outcome => {
    const { request, question } = context;
    const client = context.client!;
    const composition = compositionNow(client.policy(), client, context.nowMs);
    context.composition = composition;
    query.name = request.bytes;
    query.at = question.nameAt;
    query.type = question.type;
    query.client = ruleClientOf(context);
    const verdict = decider.decide(query, composition.profile);
    if (verdict.kind === 'pass') return NEXT;
    if (verdict.kind === 'block') return blockedBy(context, verdict, 'REQUEST_BLOCKED');
    if (context.isRecorded) recorder.setRule(verdict, client);
    if (verdict.kind === 'rewrite') {
      context.rewrite = verdict.rewrite;
      context.status = 'MODIFIED';
      return NEEDS_LOOKUP;
    }
    context.isAllowed = true;
    context.status = 'REQUEST_ALLOWED';
    return NEXT;
  };

  const readCache = (context: QueryContext): Outcome => {
    const { question, message } = context;
    if (deps.sendsClientSubnet && question.subnetLength > 0) return NEEDS_LOOKUP;
    // Set by the last decision, because `decide` runs directly before.
    const { high, low, count } = decider.keys;
    const kind = kindBits(question, context.upstreamGroup.id);
    context.keyHigh = keyHigh(high[count]!, kind);
    context.keyLow = keyLow(low[count]!, kind);
    if (context.arrived) return useArrived(context, context.arrived);
    if (!hasFresh(context, context.keyHigh, context.keyLow)) {
      const allTypes = kindOfAllTypes(kind, question);
      context.allTypesHigh = keyHigh(high[count]!, allTypes);
      context.allTypesLow = keyLow(low[count]!, allTypes);
      if (!hasFresh(context, context.allTypesHigh, context.allTypesLow)) return miss(context);
    }
    const { found } = cache;
    context.response = 'message';
    // Compared first, because writing a reference costs more (GC write barrier).
    if (message.bytes !== cache.arena) {
      message.bytes = cache.arena;
      message.offsets = cache.words;
      message.targets = cache.arena;
    }
    message.at = found.messageAt;
    message.length = found.messageLength;
    message.offsetsAt = found.recordAt + RECORD_HEADER;
    message.offsetCount = found.ttlCount;
    message.targetsAt = message.offsetsAt + found.ttlCount * 2;
    message.targetsLength = found.targetsLength;
    message.ageSeconds = clock.seconds() - found.storedAt;
    message.staleTtl = -1;
    message.isShared = true;
    return withoutDns64(context);
  };

  const hasFresh = (context: QueryContext, high: number, low: number): boolean => {
    if (!cache.find(high, low)) return false;
    const { storedAt, ttlSeconds, messageAt } = cache.found;
    return clock.seconds() - storedAt < ttlSeconds && isSameName(context, messageAt);
  };

  const withoutDns64 = ({ client, question, message }: QueryContext): Outcome =>
    mayNeedDns64(client!.dns64, question) && !needsNoDns64(message) ? NEEDS_LOOKUP : NEXT;

  const miss = (context: QueryContext): Outcome => {
    context.isMiss = true;
    return NEEDS_LOOKUP;
  };

  /** The settings of the client, and with them its upstreams, may have changed since the query was sent. */
  const useArrived = (context: QueryContext, { keyHigh, keyLow, answer, reason }: ArrivedAnswer): Outcome => {
    if (context.keyHigh !== keyHigh || context.keyLow !== keyLow) return NEEDS_LOOKUP;
    setAnswer(context, answer);
    context.reason = reason;
    return withoutDns64(context);
  };

  /** Fingerprints of different names may collide. */
  const isSameName = ({ request, question }: QueryContext, messageAt: number): boolean => {
    const length = question.nameEnd - question.nameAt;
    for (let i = 0; i < length; i++)
      if (foldByte(request.bytes[question.nameAt + i]!) !== foldByte(cache.arena[messageAt + 12 + i]!)) return false;
    return true;
  };

  const isOverwritten = ({ message }: QueryContext): boolean => message.isShared && !cache.isStillThere();

  const filterAnswer = (context: QueryContext): Outcome => {
    const verdict = targetFilter.blockedBy(context);
    if (verdict) {
      if (isOverwritten(context)) return NEEDS_LOOKUP;
      const outcome = blockedBy(context, verdict, 'RESPONSE_BLOCKED');
      if (context.isRecorded && targetFilter.reason) recorder.setReason(targetFilter.reason);
      return outcome;
    }
    if (targetFilter.isAllowed) context.status = 'RESPONSE_ALLOWED';
    return NEXT;
  };

  const respond = (context: QueryContext): Outcome => {
    context.length = deps.respond(context);
    if (context.response !== 'message' || !context.message.isShared) return NEXT;
    if (isOverwritten(context)) return NEEDS_LOOKUP;
    cache.touch();
    return NEXT;
  };

  /** Records the first address of a rewritten or local answer; the filter records that of upstream answers. */
  const recordAddress = (message: QueryContext['message']): void => {
    const at = firstAddress(message);
    if (at !== undefined) recorder.setAddress(message.targets, at + 1, targetLength(message.targets[at]!));
  };

  const record = (context: QueryContext): Outcome => {
    const { client, request, question, nowMs } = context;
    if (context.length === 0) return NEXT;
    deps.counts.count(context);
    if (!client) return NEXT;
    deps.activity.count(client, request, question, nowMs);
    if (!context.isRecorded) return NEXT;
    if (context.recordedReason) recorder.setReason(context.recordedReason);
    if (context.status === 'MODIFIED' && context.response === 'message') recordAddress(context.message);
    recorder.record(context);
    return NEXT;
  };

  return [
    { name: 'parse', run: parse },
    { name: 'rate limit', run: rateLimit },
    { name: 'certificate challenge', run: certificateChallenge, lookup: lookups?.certificateChallenge },
    { name: 'prove address', run: proveAddress, lookup: lookups?.proveAddress },
    {
      name: 'identify',
      run: identify,
      lookup: lookups && (async (context) => useClient(context, await lookups.registerDevice(context))),
    },
    { name: 'access', run: access },
    { name: 'special names', run: special, lookup: lookups?.special },
    { name: 'local names', run: localNames, lookup: lookups?.localNames },
    { name: 'decide', run: decide, lookup: lookups?.rewrite },
    { name: 'cache', run: readCache, lookup: lookups?.resolve },
    { name: 'filter answer', run: filterAnswer },
    { name: 'respond', run: respond },
    { name: 'record', run: record },
  ];
}
