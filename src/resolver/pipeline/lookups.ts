import { extendedErrors } from '../../dns/edns.ts';
import { classes, rcodes } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import type { Client, ClientResult } from '../identity/client.ts';
import type { DnsRequest } from '../transport/listener.ts';
import type { UpstreamGroup } from '../upstream/upstream-group.ts';
import type { Replied } from '../upstream/upstream-query.ts';
import type { ChallengeAnswers } from './certificate-challenges.ts';
import type { LocalLookup } from './local-lookup.ts';
import { type QueryContext, setAnswer, setCode } from './query-context.ts';
import type { Resolve, Resolved } from './resolve.ts';
import { reason } from './respond.ts';
import type { Rewrite } from './rewrite.ts';
import { type SpecialAnswer, specialAnswer, specialName } from './special-names.ts';
import { DONE, NEXT, type Outcome } from './steps.ts';
import { mayNeedDns64, synthesizeAaaa } from './synthesize-aaaa.ts';
import { codeAnswer, linesAnswer, recordsAnswer } from './synthetic-answers.ts';

export type LookupDeps = {
  /** Identifies a client again, after creating its device if the device may register itself. */
  readonly registerDevice: (request: DnsRequest, question: Question) => Promise<ClientResult>;
  readonly resolve: Resolve;
  readonly rewrite: Rewrite;
  readonly localNames: LocalLookup;
  /** The answer to a query of class CHAOS; undefined if the client is not allowed to get one. */
  readonly debug: (context: QueryContext) => CachedAnswer | undefined;
  /** Text lines for a proof name; undefined if the name belongs to no pending claim. */
  readonly prove: (request: DnsRequest, question: Question) => Promise<readonly string[] | undefined>;
  /** The answer in a zone with ACME challenges. */
  readonly challengeAnswer: ChallengeAnswers['answer'];
  readonly designated: (client: Client) => readonly Uint8Array[];
  readonly subnetOf: (request: DnsRequest, question: Question) => Uint8Array | undefined;
};

/** The asynchronous parts of steps, which run in the resolver thread only. */
export type Lookups = ReturnType<typeof createLookups>;

const stale = reason(extendedErrors.staleAnswer);
const staleNxdomain = reason(extendedErrors.staleNxdomain);
const unreachable = reason(extendedErrors.noReachableAuthority);
const networkError = reason(extendedErrors.networkError);

const failureReasons: Readonly<Partial<Record<Extract<Resolved, { kind: 'failed' }>['why'], Uint8Array>>> = {
  timeout: unreachable,
  unreachable,
  'no address': unreachable,
  loop: reason(extendedErrors.other),
  malformed: reason(extendedErrors.invalidData),
};

/** TTL of a stale answer (RFC 8767, 4). */
const STALE_TTL = 30;

export function createLookups(deps: LookupDeps) {
  const resolveName = async (
    context: QueryContext,
    name: Uint8Array,
    group: UpstreamGroup = context.upstreamGroup,
    replied?: Replied,
  ): Promise<Resolved> => {
    const { request, question } = context;
    const { accountSlot, dns64 } = context.client!;
    const clientSubnet = deps.subnetOf(request, question);
    const { class: klass, dnssecOk, checkingDisabled } = question;
    const common = { name, class: klass, dnssecOk, checkingDisabled, ...(clientSubnet && { clientSubnet }) };
    const resolveType = (type: number): Promise<Resolved> => deps.resolve({ ...common, type }, accountSlot, group);
    const upstreamQuestion = { ...common, type: question.type, ...(replied && { replied }) };
    const resolved = await deps.resolve(upstreamQuestion, accountSlot, group);
    return dns64 && mayNeedDns64(dns64, question) ? synthesizeAaaa(context, dns64, resolved, resolveType) : resolved;
  };

  return {
    certificateChallenge: (context: QueryContext): Outcome => {
      const answer = deps.challengeAnswer(context.request.bytes, context.question);
      if (!answer) return NEXT;
      setAnswer(context, answer);
      context.isAuthoritative = true;
      return DONE;
    },

    proveAddress: async (context: QueryContext): Promise<Outcome> => {
      const { request, question } = context;
      const lines = await deps.prove(request, question);
      if (!lines) return NEXT;
      setAnswer(context, linesAnswer(request.bytes, question, lines));
      return DONE;
    },

    registerDevice: ({ request, question }: QueryContext): Promise<ClientResult> =>
      deps.registerDevice(request, question),

    /** Not recorded: these queries are not user traffic. */
    special: (context: QueryContext): Outcome => {
      const { request, question, client } = context;
      context.isRecorded = false;
      if (question.class !== classes.IN) {
        const answer = question.class === classes.CH ? deps.debug(context) : undefined;
        if (answer) setAnswer(context, answer);
        else setCode(context, rcodes.REFUSED);
        return DONE;
      }
      const name = specialName(request.bytes, question.nameAt, question.nameEnd)!;
      const answer = specialAnswer(name, question.type, client!.identity.profile.settings);
      setAnswer(context, syntheticFor(context, answer));
      return DONE;
    },

    localNames: async (context: QueryContext): Promise<Outcome> => {
      const resolved = await deps.localNames(context, (name, group) => resolveName(context, name, group));
      if (!resolved) return NEXT;
      setResolved(context, resolved);
      return DONE;
    },

    /** Targets of a rewritten answer are not filtered: the rule has chosen them. */
    rewrite: async (context: QueryContext): Promise<Outcome> => {
      const resolved = await deps.rewrite(context, (name, group) => resolveName(context, name, group));
      setResolved(context, resolved);
      return DONE;
    },

    resolve: async (context: QueryContext): Promise<Outcome> => {
      const { request, question, isAllowed } = context;
      const name = request.bytes.slice(question.nameAt, question.nameEnd);
      const resolved = await resolveName(context, name, context.upstreamGroup, request.replied);
      context.status = isAllowed ? 'REQUEST_ALLOWED' : 'NONE';
      return setResolved(context, resolved);
    },
  };

  function syntheticFor({ request, question, client }: QueryContext, answer: SpecialAnswer): CachedAnswer {
    switch (answer.kind) {
      case 'code':
        return codeAnswer(request.bytes, question, answer.code);
      case 'address':
        return recordsAnswer(request.bytes, question, [answer.data]);
      case 'designated resolvers':
        return recordsAnswer(request.bytes, question, deps.designated(client!));
      default:
        return codeAnswer(request.bytes, question, rcodes.NOERROR);
    }
  }
}

function setResolved(context: QueryContext, resolved: Resolved): Outcome {
  if (resolved.kind === 'failed') {
    setCode(context, rcodes.SERVFAIL, failureReasons[resolved.why] ?? networkError);
    return DONE;
  }
  setAnswer(context, resolved.answer);
  if (resolved.kind === 'fresh') {
    context.message.ageSeconds = resolved.ageSeconds;
    context.reason = resolved.reason;
  } else {
    context.message.staleTtl = STALE_TTL;
    context.reason = (resolved.answer.message[3]! & 0xf) === rcodes.NXDOMAIN ? staleNxdomain : stale;
  }
  return NEXT;
}
