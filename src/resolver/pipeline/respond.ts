import { datagramLimit } from '../../dns/accept.ts';
import { appendOpt, appendOption, appendPadding, appendRecord, openWriter, startResponse } from '../../dns/answers.ts';
import { COOKIE_LENGTH, type CookieBinding, writeCookie } from '../../dns/cookies.ts';
import { extendedErrorOption, extendedErrors, keepaliveOption, paddingBlocks } from '../../dns/edns.ts';
import { optionCodes, rcodes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { hostInfoData, zoneAuthorityData } from '../../dns/record-data.ts';
import type { Blocking } from '../policy/blocking.ts';
import type { AnswerMessage, QueryContext } from './query-context.ts';
import { subnetWithScope } from './subnet.ts';

export type ResponderSettings = {
  /** Secret of server cookies: 16 bytes, the same on all nodes. */
  readonly cookieSecret: Uint8Array;
  /** Idle timeout of connections, sent in the keepalive option. */
  readonly idleSeconds: number;
  /** Extended error for clients that accept one: see `structuredReason`. */
  readonly structuredReason: Uint8Array;
  /** Whether client subnets are forwarded to upstreams; then responses have a scope (RFC 7871, 7.2.1). */
  readonly sendsClientSubnet: boolean;
};

/** Writes the response of a query context and returns its length; 0 if the query is dropped. */
export type Respond = (context: QueryContext) => number;

/** Data of an extended DNS error option (RFC 8914). */
export const reason = (code: number, text = ''): Uint8Array => extendedErrorOption({ code, text }).data;

/** Structured error of draft-ietf-dnsop-structured-dns-error: justification, organisation, contacts. */
export const structuredReason = (organisation: string): Uint8Array =>
  reason(extendedErrors.filtered, JSON.stringify({ j: 'filtered by your settings', o: organisation, c: [] }));

const MAX_MESSAGE = 65_535;
const TENTHS = 10;
const FLAGS_HIGH = 2;
const FLAGS_LOW = 3;
const AUTHORITATIVE = 0x04;
const TRUNCATED = 0x02;
const AUTHENTIC = 0x20;
const OPT_HEADER = 11;
const OPTION_HEADER = 4;
const KEEPALIVE_LENGTH = OPTION_HEADER + 2;

const NULL_IPV4 = new Uint8Array(4);
const NULL_IPV6 = new Uint8Array(16);
const MAX_TTL = 86_400;
const MINIMAL_TTL = 3600;
const minimalData = hostInfoData('RFC8482', '')!;
const filtered = reason(extendedErrors.filtered);

// Clients cache negative responses only with an SOA, for the smaller of its TTL and its minimum (RFC 2308).
export const negativeSoa = zoneAuthorityData({
  primary: 'blocked.invalid',
  mailbox: 'nobody.invalid',
  serial: 1,
  refresh: 3600,
  retry: 600,
  expire: MAX_TTL,
  minimum: MAX_TTL,
})!;

/** One responder per thread. Allocates nothing per response. */
export function createResponder(settings: ResponderSettings): Respond {
  const cookie = new Uint8Array(COOKIE_LENGTH);
  const binding: CookieBinding = { address: NULL_IPV4, secret: settings.cookieSecret, seconds: 0 };
  const keepalive = keepaliveOption(settings.idleSeconds * TENTHS).data;

  /** Longest response that the client accepts and the output has room for. */
  const limitOf = ({ request, question, outputRoom }: QueryContext): number =>
    Math.min(outputRoom, request.transport === 'udp' ? datagramLimit(question) : MAX_MESSAGE);

  const hasScope = ({ subnetLength }: Question): boolean => settings.sendsClientSubnet && subnetLength > 0;

  /** Length of the OPT record without padding. */
  const optLength = ({ question, reason }: QueryContext): number => {
    if (!question.edns) return 0;
    const errorLength = reason ? OPTION_HEADER + reason.length : 0;
    const cookieLength = question.cookieLength > 0 ? OPTION_HEADER + COOKIE_LENGTH : 0;
    const subnetLength = hasScope(question) ? OPTION_HEADER + question.subnetLength : 0;
    return OPT_HEADER + errorLength + cookieLength + subnetLength + (question.keepaliveAsked ? KEEPALIVE_LENGTH : 0);
  };

  const start = (context: QueryContext, code: number): void => {
    openWriter(context.writer, context.output, context.outputAt, limitOf(context));
    startResponse(context.writer, context.question, context.request.bytes, code);
  };

  /** Appends the OPT record with its options. */
  const finish = (context: QueryContext, code: number): number => {
    const { writer, question, request, reason } = context;
    if (!question.edns) return writer.end - writer.start;
    appendOpt(writer, question, code);
    if (reason) appendOption(writer, optionCodes.extendedError, reason);
    if (hasScope(question)) appendOption(writer, optionCodes.clientSubnet, subnetWithScope(context));
    if (question.cookieLength > 0) {
      binding.address = request.client;
      binding.seconds = (context.nowMs / 1000) >>> 0;
      writeCookie(cookie, request.bytes, question.cookieAt, binding);
      appendOption(writer, optionCodes.cookie, cookie);
    }
    const { transport } = request;
    if (question.keepaliveAsked && (transport === 'tcp' || transport === 'dot'))
      appendOption(writer, optionCodes.keepalive, keepalive);
    if (question.paddingAsked && (transport === 'dot' || transport === 'doh'))
      appendPadding(writer, paddingBlocks.answer);
    return writer.end - writer.start;
  };

  const writeCode = (context: QueryContext): number => {
    start(context, context.code);
    return finish(context, context.code);
  };

  const writeTruncated = (context: QueryContext): number => {
    const length = writeCode(context);
    context.output[context.outputAt + FLAGS_HIGH]! |= TRUNCATED;
    return length;
  };

  const writeMinimal = (context: QueryContext): number => {
    start(context, rcodes.NOERROR);
    appendRecord(context.writer, 'answer', types.HINFO, MINIMAL_TTL, minimalData);
    return finish(context, rcodes.NOERROR);
  };

  const writeBlocked = (context: QueryContext): number => {
    const { writer, question } = context;
    const blocking = context.blocking!;
    const code = codeOf(blocking);
    start(context, code);
    const address = addressFor(blocking, question.type);
    if (address) appendRecord(writer, 'answer', question.type, blocking.ttlSeconds, address);
    else appendRecord(writer, 'authority', types.SOA, blocking.ttlSeconds, negativeSoa);
    context.reason = question.extendedErrorAsked ? settings.structuredReason : filtered;
    return finish(context, code);
  };

  const writeMessage = (context: QueryContext): number => {
    const { question, message, output, outputAt: at } = context;
    const flags = message.bytes[message.at + FLAGS_LOW]!;
    const code = flags & 0xf;
    if (message.length + optLength(context) > limitOf(context)) {
      context.code = code;
      context.reason = undefined;
      return writeTruncated(context);
    }
    start(context, code);
    // Keeps the question in the client's case; the rest of the message is the same for all clients.
    const questionLength = question.questionEnd - question.at;
    for (let i = questionLength; i < message.length; i++) output[at + i] = message.bytes[message.at + i]!;
    for (let i = 6; i < 12; i++) output[at + i] = message.bytes[message.at + i]!;
    if ((flags & AUTHENTIC) !== 0 && (question.dnssecOk || question.authenticData))
      output[at + FLAGS_LOW]! |= AUTHENTIC;
    if (context.isAuthoritative) output[at + FLAGS_HIGH]! |= AUTHORITATIVE;
    context.writer.end = at + message.length;
    writeTtls(output, at, message);
    return finish(context, code);
  };

  return (context) => {
    switch (context.response) {
      case 'message':
        return writeMessage(context);
      case 'blocked':
        return writeBlocked(context);
      case 'code':
        return writeCode(context);
      case 'truncated':
        return writeTruncated(context);
      case 'minimal':
        return writeMinimal(context);
      case 'drop':
        return 0;
    }
  };
}

const codeOf = ({ mode }: Blocking): number =>
  mode === 'NXDOMAIN' ? rcodes.NXDOMAIN : mode === 'REFUSED' ? rcodes.REFUSED : rcodes.NOERROR;

function addressFor({ mode, ipv4, ipv6 }: Blocking, type: number): Uint8Array | undefined {
  if (mode === 'NULL_IP') return type === types.A ? NULL_IPV4 : type === types.AAAA ? NULL_IPV6 : undefined;
  if (mode === 'CUSTOM_IP') return type === types.A ? ipv4 : type === types.AAAA ? ipv6 : undefined;
  return undefined;
}

function writeTtls(output: Uint8Array, start: number, message: AnswerMessage): void {
  const { offsets, offsetsAt, offsetCount, ageSeconds, staleTtl } = message;
  for (let i = 0; i < offsetCount; i++) {
    const at = start + offsets.getUint16(offsetsAt + i * 2, true);
    const ttl = ((output[at]! << 24) | (output[at + 1]! << 16) | (output[at + 2]! << 8) | output[at + 3]!) >>> 0;
    const left = staleTtl >= 0 ? staleTtl : ttl > ageSeconds ? ttl - ageSeconds : 0;
    output[at] = left >>> 24;
    output[at + 1] = left >>> 16;
    output[at + 2] = left >>> 8;
    output[at + 3] = left;
  }
}
