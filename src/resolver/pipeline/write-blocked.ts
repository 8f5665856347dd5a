import { appendRecord, type Draft } from '../../dns/answers.ts';
import { extendedErrors } from '../../dns/edns.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { zoneAuthorityData } from '../../dns/record-data.ts';
import type { Blocking } from '../policy/blocking.ts';
import type { Asked } from '../transport/listener.ts';
import { type Replies, reason } from './reply.ts';

const NULL_IPV4 = new Uint8Array(4);
const NULL_IPV6 = new Uint8Array(16);
const MAX_TTL = 86_400;

// Clients keep "there is nothing" only with an SOA beside it (RFC 2308), for the shorter of its own time and this minimum.
export const negativeSoa = zoneAuthorityData({
  primary: 'blocked.invalid',
  mailbox: 'nobody.invalid',
  serial: 1,
  refresh: 3600,
  retry: 600,
  expire: MAX_TTL,
  minimum: MAX_TTL,
})!;

const writeSoa = (draft: Draft, ttlSeconds: number): void => {
  appendRecord(draft, 'authority', types.SOA, ttlSeconds, negativeSoa);
};

const filtered = reason(extendedErrors.filtered);

/** As draft-ietf-dnsop-structured-dns-error has it: who blocks, why, and whom to ask. */
export const structuredReason = (organisation: string): Uint8Array =>
  reason(extendedErrors.filtered, JSON.stringify({ j: 'filtered by your settings', o: organisation, c: [] }));

export const codeOf = ({ mode }: Blocking): number =>
  mode === 'NXDOMAIN' ? rcodes.NXDOMAIN : mode === 'REFUSED' ? rcodes.REFUSED : rcodes.NOERROR;

function addressFor({ mode, ipv4, ipv6 }: Blocking, type: number): Uint8Array | undefined {
  if (mode === 'NULL_IP') return type === types.A ? NULL_IPV4 : type === types.AAAA ? NULL_IPV6 : undefined;
  if (mode === 'CUSTOM_IP') return type === types.A ? ipv4 : type === types.AAAA ? ipv6 : undefined;
  return undefined;
}

/** The answer to what is blocked, in the way its owner wants; gives its length. Nothing here allocates. */
export function writeBlocked(
  replies: Replies,
  draft: Draft,
  asked: Asked,
  question: Question,
  blocking: Blocking,
  place: { readonly into: Uint8Array; readonly at: number; readonly room: number },
  nowMs: number,
  structured: Uint8Array,
): number {
  const code = codeOf(blocking);
  replies.start(draft, asked, question, place.into, place.at, replies.allowed(asked, question, place.room), code);
  const address = addressFor(blocking, question.type);
  if (address) appendRecord(draft, 'answer', question.type, blocking.ttlSeconds, address);
  else writeSoa(draft, blocking.ttlSeconds);
  // An address of their own is a page that explains itself; elsewhere the client is told that it was a filter.
  const why =
    blocking.mode === 'CUSTOM_IP' && address ? undefined : question.extendedErrorAsked ? structured : filtered;
  return replies.finish(draft, asked, question, code, nowMs, why);
}
