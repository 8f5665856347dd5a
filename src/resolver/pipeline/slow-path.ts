import { accept } from '../../dns/accept.ts';
import { newDraft } from '../../dns/answers.ts';
import { extendedErrors } from '../../dns/edns.ts';
import { classes, rcodes } from '../../dns/numbers.ts';
import { newQuestion, type Question } from '../../dns/question.ts';
import type { Decider } from '../../engine/match/decide.ts';
import type { Verdict } from '../../engine/verdict.ts';
import type { Kept } from '../cache/cache-entry.ts';
import { isProofQuestion, provesAddress } from '../identity/address-proof.ts';
import type { Standing, Stands } from '../identity/client.ts';
import { type Composition, compositionNow } from '../policy/policy.ts';
import type { AnswerLater, Asked, Tell } from '../transport/listener.ts';
import { blockingFor } from './fast-path.ts';
import type { ItemFilter } from './filter-targets.ts';
import type { NotedRule, Notes, Status } from './query-recorder.ts';
import { type Replies, reason } from './reply.ts';
import type { Resolve, Resolved } from './resolve.ts';
import type { Rewrite } from './rewrite.ts';
import { type SpecialAnswer, specialAnswer, specialName } from './special-names.ts';
import { codeAnswer, linesAnswer, recordsAnswer } from './synthetic-answers.ts';
import { writeBlocked } from './write-blocked.ts';
import { writeKept } from './write-cached-answer.ts';

export type LaterDeps = {
  /** Looks whoever asks up, and makes the device of one who may make himself known. */
  readonly standingOf: (asked: Asked, question: Question) => Promise<Stands>;
  readonly decider: Decider;
  readonly items: ItemFilter;
  readonly replies: Replies;
  readonly notes: Notes;
  readonly resolve: Resolve;
  readonly rewrite: Rewrite;
  readonly debug: (asked: Asked, question: Question, standing: Standing) => Kept | undefined;
  /** Lines of text in answer to a query for a proof name; undefined for a name of no pending claim. */
  readonly prove: (asked: Asked, question: Question) => Promise<readonly string[] | undefined>;
  readonly designated: (standing: Standing) => readonly Uint8Array[];
  readonly subnetOf: (asked: Asked, question: Question) => Uint8Array | undefined;
  readonly structuredReason: Uint8Array;
  readonly wallMs: () => number;
  readonly tell: Tell;
};

const prohibited = reason(extendedErrors.prohibited);
const stale = reason(extendedErrors.staleAnswer);
const staleNothing = reason(extendedErrors.staleNxdomain);
const unreachable = reason(extendedErrors.noReachableAuthority);
const networkError = reason(extendedErrors.networkError);
const malformed = reason(extendedErrors.invalidData);

const failures: Readonly<Partial<Record<Extract<Resolved, { kind: 'failed' }>['why'], Uint8Array>>> = {
  timeout: unreachable,
  unreachable,
  'no address': unreachable,
  loop: unreachable,
  malformed,
};

const STALE_TTL = 30;
/** What OPT and padding add to a message at most. */
const MOST_ADDED = 640;
const TRUNCATED = 0x02;

/** One query on its way. */
type Walk = {
  readonly asked: Asked;
  readonly question: Question;
  readonly standing: Standing;
  readonly composition: Composition;
};

type Said = {
  readonly status: Status;
  readonly noted: NotedRule | undefined;
  readonly why?: Uint8Array | undefined;
  readonly ageSeconds?: number;
  readonly staleTtl?: number;
  /** What was decided by the client's own rules, or made by us, is not looked at again. */
  readonly isFiltered: boolean;
};

/** Answers what must wait: for an upstream, for a device to be made, for a rewritten name. The same walk as answer-at-once.ts. */
export function createAnswerLater(deps: LaterDeps): AnswerLater {
  const { decider, items, replies, notes, wallMs } = deps;
  const draft = newDraft(new Uint8Array(0));

  const placeFor = (length: number) => {
    const into = new Uint8Array(length + MOST_ADDED);
    return { into, at: 0, room: into.length };
  };

  const withCode = (asked: Asked, question: Question, code: number, why?: Uint8Array): Uint8Array => {
    const { into } = placeFor(question.questionEnd - question.at);
    replies.start(draft, asked, question, into, 0, into.length, code);
    return into.subarray(0, replies.finish(draft, asked, question, code, wallMs(), why));
  };

  const truncated = (asked: Asked, question: Question, code: number): Uint8Array => {
    const answer = withCode(asked, question, code);
    answer[2]! |= TRUNCATED;
    return answer;
  };

  /** Notes it and gives it. */
  const told = (
    { asked, question, standing }: Walk,
    answer: Uint8Array,
    said: Pick<Said, 'status' | 'noted'>,
  ): Uint8Array => {
    if (!standing.isRecorded) return answer;
    if (said.noted) notes.setRule(said.noted);
    else notes.noRule();
    notes.answered(standing, asked, question, said.status, answer[3]!, wallMs());
    return answer;
  };

  const blocked = (walk: Walk, verdict: Verdict, status: 'REQUEST_BLOCKED' | 'RESPONSE_BLOCKED'): Uint8Array => {
    const { asked, question, standing } = walk;
    notes.rule(verdict, standing);
    notes.address(asked.bytes, 0, 0);
    const noted = notes.keepRule();
    const blocking = blockingFor(standing.policy(), verdict);
    const place = placeFor(question.questionEnd - question.at);
    const length = writeBlocked(replies, draft, asked, question, blocking, place, wallMs(), deps.structuredReason);
    return told(walk, place.into.subarray(0, length), { status, noted });
  };

  const withKept = (walk: Walk, kept: Kept, said: Said): Uint8Array => {
    const { asked, question, standing, composition } = walk;
    const { items: parts } = kept;
    const found = items.look(parts, 0, parts.length, asked, question, standing, composition, said.isFiltered);
    if (found) return blocked(walk, found, 'RESPONSE_BLOCKED');
    const noted = items.isAllowed ? notes.keepRule() : said.noted;
    const status = items.isAllowed ? 'RESPONSE_ALLOWED' : said.status;
    const place = placeFor(kept.message.length);
    const { buffer, byteOffset } = kept.ttlOffsets;
    const message = {
      bytes: kept.message,
      at: 0,
      length: kept.message.length,
      offsets: new DataView(buffer, byteOffset),
      offsetsAt: 0,
      offsetCount: kept.ttlOffsets.length,
    };
    const { ageSeconds = 0, why, staleTtl } = said;
    const length = writeKept(replies, draft, asked, question, message, ageSeconds, place, wallMs(), why, staleTtl);
    const answer = length < 0 ? truncated(asked, question, kept.message[3]! & 0xf) : place.into.subarray(0, length);
    return told(walk, answer, { status, noted });
  };

  const withResolved = (walk: Walk, resolved: Resolved, said: Said): Uint8Array => {
    if (resolved.kind === 'kept') return withKept(walk, resolved.kept, { ...said, ageSeconds: resolved.ageSeconds });
    if (resolved.kind === 'stale') {
      const why = (resolved.kept.message[3]! & 0xf) === rcodes.NXDOMAIN ? staleNothing : stale;
      return withKept(walk, resolved.kept, { ...said, why, staleTtl: STALE_TTL });
    }
    notes.address(walk.asked.bytes, 0, 0);
    const why = failures[resolved.why] ?? networkError;
    return told(walk, withCode(walk.asked, walk.question, rcodes.SERVFAIL, why), said);
  };

  /** Neither logged nor counted: proof names are not user traffic. */
  const unlogged = (asked: Asked, question: Question, kept: Kept): Uint8Array => {
    const place = placeFor(kept.message.length);
    const message = {
      bytes: kept.message,
      at: 0,
      length: kept.message.length,
      offsets: new DataView(kept.ttlOffsets.buffer, kept.ttlOffsets.byteOffset),
      offsetsAt: 0,
      offsetCount: 0,
    };
    const length = writeKept(replies, draft, asked, question, message, 0, place, wallMs());
    return length < 0 ? truncated(asked, question, rcodes.NOERROR) : place.into.subarray(0, length);
  };

  const special = (walk: Walk, answer: Exclude<SpecialAnswer, { kind: 'none' }>): Uint8Array => {
    const { asked, question, standing } = walk;
    const kept =
      answer.kind === 'code'
        ? codeAnswer(asked.bytes, question, answer.code)
        : answer.kind === 'no data'
          ? codeAnswer(asked.bytes, question, rcodes.NOERROR)
          : recordsAnswer(asked.bytes, question, answer.kind === 'address' ? [answer.data] : deps.designated(standing));
    return unlogged(asked, question, kept);
  };

  const resolveName = (walk: Walk, name: Uint8Array): Promise<Resolved> => {
    const { question, asked, standing } = walk;
    const subnet = deps.subnetOf(asked, question);
    return deps.resolve(
      {
        name,
        type: question.type,
        class: question.class,
        dnssecOk: question.dnssecOk,
        checkingDisabled: question.checkingDisabled,
        ...(subnet && { clientSubnet: subnet }),
      },
      standing.owner,
      standing.via,
    );
  };

  const forKnown = async (walk: Walk): Promise<Uint8Array | undefined> => {
    const { asked, question, standing, composition } = walk;
    const name = specialName(asked.bytes, question.nameAt, question.nameEnd);
    const answer = name && specialAnswer(name, question.type, standing.known.profile.settings);
    if (answer && answer.kind !== 'none') return special(walk, answer);
    const query = { name: asked.bytes, at: question.nameAt, type: question.type, client: standing.client };
    const verdict = decider.decide(query, composition.profile);
    if (verdict.kind === 'block') return blocked(walk, verdict, 'REQUEST_BLOCKED');
    if (verdict.kind !== 'pass') notes.rule(verdict, standing);
    const noted = verdict.kind === 'pass' ? undefined : notes.keepRule();
    if (verdict.kind === 'rewrite') {
      const rewritten = await deps.rewrite(verdict.rewrite!, walk, (target) => resolveName(walk, target));
      return withResolved(walk, rewritten, { status: 'MODIFIED', noted, isFiltered: false });
    }
    const status = verdict.kind === 'allow' ? 'REQUEST_ALLOWED' : 'NONE';
    const isFiltered = verdict.kind === 'pass';
    const wanted = asked.bytes.slice(question.nameAt, question.nameEnd);
    return withResolved(walk, await resolveName(walk, wanted), { status, noted, isFiltered });
  };

  const walk = async (asked: Asked): Promise<Uint8Array | undefined> => {
    const question = newQuestion();
    const accepted = accept(asked.bytes, asked.at, asked.length, question);
    if (accepted === 'drop') return undefined;
    if (accepted === 'answer') return withCode(asked, question, question.code);
    if (isProofQuestion(asked.bytes, question) && provesAddress(asked)) {
      const lines = await deps.prove(asked, question);
      if (lines) return unlogged(asked, question, linesAnswer(asked.bytes, question, lines));
    }
    const stands = await deps.standingOf(asked, question);
    if (stands.kind === 'drop') return undefined;
    if (stands.kind !== 'known') return withCode(asked, question, rcodes.REFUSED, prohibited);
    if (!stands.mayAsk(asked.client, undefined, asked.bytes, question.nameAt, question.type)) return undefined;
    const composition = compositionNow(stands.policy(), stands.isProtected, wallMs());
    const way = { asked, question, standing: stands, composition };
    if (!question.recursionDesired) {
      notes.address(asked.bytes, 0, 0);
      const answer = withCode(asked, question, rcodes.REFUSED, prohibited);
      return told(way, answer, { status: 'NONE', noted: undefined });
    }
    if (question.class === classes.IN) return forKnown(way);
    const debug = question.class === classes.CH ? deps.debug(asked, question, stands) : undefined;
    if (!debug) return withCode(asked, question, rcodes.REFUSED);
    return withKept({ ...way, standing: { ...stands, isRecorded: false } }, debug, {
      status: 'NONE',
      noted: undefined,
      isFiltered: false,
    });
  };

  return (asked, reply) => {
    walk(asked).then(reply, (error: unknown) => {
      deps.tell('answering a query failed', error);
      const question = newQuestion();
      const isReadable = accept(asked.bytes, asked.at, asked.length, question) === 'ok';
      reply(isReadable ? withCode(asked, question, rcodes.SERVFAIL) : undefined);
    });
  };
}
