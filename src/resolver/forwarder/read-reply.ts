import { restoreCase } from '../../dns/case-randomization.ts';
import { rcodes } from '../../dns/numbers.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { type CachedAnswer, toCachedAnswer } from '../cache/cache-entry.ts';
import { readAnswer } from '../upstream/read-answer.ts';
import { usefulCodes } from '../upstream/upstream-answer.ts';
import { foldedName, type UpstreamQuestion } from '../upstream/upstream-query.ts';
import { readSimpleReply } from './read-simple-reply.ts';
import type { QueryStyle } from './write-query.ts';

export type Reply =
  | { readonly kind: 'answer'; readonly answer: CachedAnswer; readonly extendedError: Uint8Array | undefined }
  /** Not a reply to this query; the real one may follow. */
  | { readonly kind: 'mismatch' }
  /** The resolver thread must continue: with this reply, or with a new query. */
  | { readonly kind: 'hand over'; readonly reply: Uint8Array | undefined; readonly isFailure: boolean };

/** Parses a datagram with the id of a query; `question` has the name as sent. Modifies the bytes. */
export function readReply(packet: Uint8Array, question: UpstreamQuestion, style: QueryStyle): Reply {
  const answer = readSimpleReply(packet, question, style);
  return answer ? { kind: 'answer', answer, extendedError: undefined } : readAnyReply(packet, question, style);
}

export function readAnyReply(packet: Uint8Array, sentQuestion: UpstreamQuestion, style: QueryStyle): Reply {
  const { random: mixed, cookies, authenticData: trusted } = style;
  const question = { ...sentQuestion, name: foldedName(sentQuestion.name) };
  const read = readAnswer(packet, { question, trusted, cookies, ...(mixed && { sentName: sentQuestion.name }) });
  const handOver = (isFailure: boolean): Reply => {
    // Restores the lower-case name, as in the reply to a query without random case.
    restoreCase(packet, question.name);
    return { kind: 'hand over', reply: packet, isFailure };
  };
  if (read.kind === 'not it') return { kind: 'mismatch' };
  if (read.kind === 'truncated') return handOver(false);
  if (read.kind === 'bad') return handOver(true);
  const { message, extendedError } = read;
  if (message.rcode === rcodes.BADCOOKIE) return { kind: 'hand over', reply: undefined, isFailure: false };
  const answer = usefulCodes.has(message.rcode) && toCachedAnswer({ bytes: writeMessage(message), message });
  return answer ? { kind: 'answer', answer, extendedError } : handOver(true);
}
