import { restoreCase } from '../../dns/case-randomization.ts';
import { findOption } from '../../dns/edns.ts';
import { type Message, type MessageQuestion, queryFor } from '../../dns/message.ts';
import { HEADER_LENGTH, optionCodes, rcodes } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import { belongsTo, scrub } from '../../dns/validate-answer.ts';
import type { ClientCookies } from './client-cookies.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

export type ReadMessage = {
  readonly kind: 'answer';
  readonly message: Message;
  readonly subnetScope?: number;
  /** Data of the extended DNS error (RFC 8914). */
  readonly extendedError?: Uint8Array;
};

/** Result of comparing a packet with the query in flight. */
export type ReadAnswer =
  | ReadMessage
  /** The answer does not fit into a datagram. */
  | { readonly kind: 'truncated' }
  /** Not a reply to this query (id or question differ): keep waiting. */
  | { readonly kind: 'not it'; readonly why: 'mismatch' | 'case' | 'cookie' | 'malformed' }
  /** An unusable reply to this query. */
  | { readonly kind: 'bad'; readonly why: string };

export type AsSent = {
  readonly question: UpstreamQuestion;
  /** The name as sent, with its case; absent if case was not randomised. */
  readonly sentName?: Uint8Array;
  /** Whether the upstream's AD bit is trusted. */
  readonly trusted: boolean;
  /** Cookies that were sent with the query. */
  readonly cookies?: ClientCookies | undefined;
};

const TRUNCATED = 0x02;
const CODE_BYTES = 2;
/** Longer texts would exceed the space for EDNS in responses. */
const MAX_ERROR_BYTES = 66;

/** Parses a packet with the id of the query. Modifies the bytes: restores the original case of the question. */
export function readAnswer(received: Uint8Array, { question, sentName, trusted, cookies }: AsSent): ReadAnswer {
  // Viewed as a Uint8Array, because `slice` of a Buffer shares its memory instead of copying it.
  const packet = new Uint8Array(received.buffer, received.byteOffset, received.length);
  const sentQuestion: MessageQuestion = { name: sentName ?? question.name, type: question.type, class: question.class };
  if (!belongsTo(packet, sentQuestion, sentName !== undefined))
    return { kind: 'not it', why: belongsTo(packet, sentQuestion, false) ? 'case' : 'mismatch' };
  if ((packet[2]! & TRUNCATED) !== 0) return { kind: 'truncated' };

  restoreCase(packet, question.name);
  const read = readMessage(packet);
  if (!read.ok) return { kind: 'not it', why: 'malformed' };
  if (cookies && !cookies.accepts(findOption(read.value.edns?.options ?? [], optionCodes.cookie)))
    return { kind: 'not it', why: 'cookie' };
  const originalQuestion: MessageQuestion = { ...sentQuestion, name: question.name };
  const scrubbed = scrub(read.value, originalQuestion, { trusted });
  if (!scrubbed.ok) return { kind: 'bad', why: scrubbed.error };
  const { edns, ...message } = { ...scrubbed.value, id: 0 };
  const extendedError = edns && findOption(edns.options, optionCodes.extendedError);
  const subnetScope = scopeOf(read.value, question);
  return {
    kind: 'answer',
    message,
    ...(subnetScope !== undefined && { subnetScope }),
    ...(extendedError &&
      extendedError.length >= CODE_BYTES && { extendedError: extendedError.slice(0, MAX_ERROR_BYTES) }),
  };
}

const refusals: readonly number[] = [rcodes.FORMERR, rcodes.NOTIMP];

/** Old servers answer queries that they do not understand with a header only (RFC 6891, 7). */
export const isBareRefusal = (message: Uint8Array): boolean =>
  message.length === HEADER_LENGTH && (message[2]! & 0x80) !== 0 && refusals.includes(message[3]! & 0xf);

export const bareRefusal = (message: Uint8Array, { name, type, class: inClass }: UpstreamQuestion): ReadAnswer => ({
  kind: 'answer',
  message: {
    ...queryFor({ name, type, class: inClass }, 0),
    response: true,
    recursionAvailable: true,
    rcode: message[3]! & 0xf,
  },
});

/** A scope longer than the prefix that was sent is invalid: it is limited to that prefix. */
function scopeOf({ edns }: Message, { clientSubnet }: UpstreamQuestion): number | undefined {
  const sourceBits = clientSubnet?.[2];
  if (sourceBits === undefined) return undefined;
  const echoed = edns?.options.find(({ code }) => code === optionCodes.clientSubnet)?.data;
  return Math.min(echoed?.[3] ?? 0, sourceBits);
}
