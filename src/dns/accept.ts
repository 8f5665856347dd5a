import { readQueryOptions } from './accept-options.ts';
import { readUint16 } from './bytes.ts';
import { classes, HEADER_LENGTH, OUR_UDP_SIZE, rcodes, SMALLEST_UDP_SIZE, types, unanswerable } from './numbers.ts';
import { clearQuestion, type Question } from './question.ts';
import { wholeNameEnd, writtenNameEnd } from './wire-names.ts';

/** `answer`: respond with `question.code` to any client. `ok`: process the query. */
export type Accepted = 'drop' | 'answer' | 'ok';

const RESPONSE = 0x80;
const RECORD_FIXED_LENGTH = 10;

/**
 * First check of a query, on all transports; records the offsets of its parts in `question`.
 * Allocates nothing and does not trust section counts: every announced record must be present.
 */
export function accept(bytes: Uint8Array, at: number, length: number, into: Question): Accepted {
  // Never reply to responses or garbage: two servers could be made to send packets to each other forever.
  if (length < HEADER_LENGTH || (bytes[at + 2]! & RESPONSE) !== 0) return 'drop';
  clearQuestion(into, bytes, at);
  if (into.opcode !== 0) return answerWith(into, rcodes.NOTIMP);

  const end = at + length;
  const questions = readUint16(bytes, at + 4);
  if (questions > 1) return answerWith(into, rcodes.FORMERR);
  if (questions === 1 && !readQuestion(bytes, end, into)) return answerWith(into, rcodes.FORMERR);
  // Queries have no answer or authority records; any such record is treated as a poisoning attempt.
  if (readUint16(bytes, at + 6) !== 0 || readUint16(bytes, at + 8) !== 0) return answerWith(into, rcodes.FORMERR);

  const code = readAdditional(bytes, readUint16(bytes, at + 10), end, into);
  if (code !== rcodes.NOERROR) return answerWith(into, code);
  // A query without a question may still request a cookie (RFC 7873, 5.4).
  if (questions === 0) return answerWith(into, into.cookieLength > 0 ? rcodes.NOERROR : rcodes.FORMERR);

  const refusal = unanswerable(into.type);
  if (refusal !== rcodes.NOERROR) return answerWith(into, refusal);
  return into.class === classes.IN || into.class === classes.CH ? 'ok' : answerWith(into, rcodes.REFUSED);
}

/** Maximum length of a UDP response to this query. */
export const datagramLimit = (question: Question): number =>
  question.edns ? Math.max(SMALLEST_UDP_SIZE, Math.min(question.udpSize, OUR_UDP_SIZE)) : SMALLEST_UDP_SIZE;

function answerWith(into: Question, code: number): Accepted {
  into.code = code;
  return 'answer';
}

/** The first name must be uncompressed, because a compression pointer needs an earlier name. */
function readQuestion(bytes: Uint8Array, end: number, into: Question): boolean {
  const nameEnd = wholeNameEnd(bytes, into.nameAt, end);
  if (nameEnd === -1 || nameEnd + 4 > end) return false;
  into.nameEnd = nameEnd;
  into.type = readUint16(bytes, nameEnd);
  into.class = readUint16(bytes, nameEnd + 2);
  into.questionEnd = nameEnd + 4;
  into.end = nameEnd + 4;
  return true;
}

function readAdditional(bytes: Uint8Array, count: number, end: number, into: Question): number {
  let next = into.questionEnd;
  for (let i = 0; i < count; i++) {
    const nameAt = next;
    const fixed = writtenNameEnd(bytes, into.at, nameAt, end);
    next = fixed + RECORD_FIXED_LENGTH + readUint16(bytes, fixed + 8);
    if (fixed === -1 || next > end) return rcodes.FORMERR;
    const type = readUint16(bytes, fixed);
    // No TSIG keys are configured; an unverified signature must not pass as verified.
    if (type === types.TSIG || type === types.SIG) return rcodes.FORMERR;
    if (type !== types.OPT) continue;
    if (into.edns || fixed !== nameAt + 1) return rcodes.FORMERR;
    const code = readOpt(bytes, fixed, next, into);
    if (code !== rcodes.NOERROR) return code;
  }
  into.end = next;
  return rcodes.NOERROR;
}

function readOpt(bytes: Uint8Array, fixed: number, end: number, into: Question): number {
  into.edns = true;
  into.udpSize = readUint16(bytes, fixed + 2);
  into.version = bytes[fixed + 5]!;
  into.dnssecOk = (bytes[fixed + 6]! & 0x80) !== 0;
  // The meaning of options in another EDNS version is unknown.
  if (into.version !== 0) return rcodes.BADVERS;
  return readQueryOptions(bytes, fixed + RECORD_FIXED_LENGTH, end, into) ? rcodes.NOERROR : rcodes.FORMERR;
}
