import { readUint16, readUint32 } from '../../dns/bytes.ts';
import { HEADER_LENGTH, optionCodes, types } from '../../dns/numbers.ts';
import { OPTION_HEADER_LENGTH } from '../../dns/opt.ts';
import { cacheLimits } from '../../dns/ttl.ts';
import { foldByte } from '../../kit/fold-byte.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import type { UpstreamQuestion } from '../upstream/upstream-query.ts';
import type { QueryStyle } from './write-query.ts';

// QR and RD are set; opcode, AA and TC are zero.
const PLAIN_FLAGS = 0x81;
const AUTHENTIC_DATA = 0x20;
const Z = 0x40;
const RCODE = 0x0f;
const POINTER_TO_QUESTION = 0xc00c;
const RECORD_HEADER = 12;
const OPT_LENGTH = 11;
const MAX_RECORDS = 16;
const ADDRESS = 0x80;
const addressLengths: Readonly<Partial<Record<number, number>>> = { [types.A]: 4, [types.AAAA]: 16 };

/**
 * Fast path for the most frequent reply: one set of addresses for the queried name, and at most an OPT record. Returns the same answer as
 * the general parser; undefined for all other replies.
 */
export function readSimpleReply(
  packet: Uint8Array,
  question: UpstreamQuestion,
  { cookies, authenticData }: QueryStyle,
): CachedAnswer | undefined {
  const { name, type } = question;
  const addressLength = addressLengths[type];
  const count = readUint16(packet, 6);
  const answersAt = HEADER_LENGTH + name.length + 4;
  if (addressLength === undefined || count === 0 || count > MAX_RECORDS || question.class !== 1) return undefined;
  const recordLength = RECORD_HEADER + addressLength;
  const end = answersAt + count * recordLength;
  if (packet.length < end || !hasPlainHeader(packet) || !hasQuestion(packet, question)) return undefined;
  const ttl = readUint32(packet, answersAt + 6);
  for (let at = answersAt; at < end; at += recordLength)
    if (!isAddressRecord(packet, at, { type, addressLength, ttl }) || isRepeated(packet, at, answersAt, recordLength))
      return undefined;
  if (ttl > cacheLimits.positiveSeconds || !endsWithOpt(packet, end, cookies)) return undefined;

  const message = packet.slice(0, end);
  message[0] = 0;
  message[1] = 0;
  if (!authenticData) message[3]! &= ~AUTHENTIC_DATA;
  message[10] = 0;
  message[11] = 0;
  for (let i = 0; i < name.length; i++) message[HEADER_LENGTH + i] = foldByte(name[i]!);
  const ttlOffsets = new Uint16Array(count);
  const targets = new Uint8Array(count * (1 + addressLength));
  for (let i = 0; i < count; i++) {
    const at = answersAt + i * recordLength;
    ttlOffsets[i] = at + 6;
    targets[i * (1 + addressLength)] = ADDRESS | addressLength;
    for (let byte = 0; byte < addressLength; byte++)
      targets[i * (1 + addressLength) + 1 + byte] = packet[at + RECORD_HEADER + byte]!;
  }
  return { message, ttlOffsets, targets, ttlSeconds: ttl };
}

const hasPlainHeader = (packet: Uint8Array): boolean =>
  packet[2] === PLAIN_FLAGS &&
  (packet[3]! & (Z | RCODE)) === 0 &&
  readUint16(packet, 4) === 1 &&
  readUint16(packet, 8) === 0;

/** Compares the question with the one that was sent. */
function hasQuestion(packet: Uint8Array, { name, type, class: dnsClass }: UpstreamQuestion): boolean {
  for (let i = 0; i < name.length; i++) if (packet[HEADER_LENGTH + i] !== name[i]) return false;
  const at = HEADER_LENGTH + name.length;
  return readUint16(packet, at) === type && readUint16(packet, at + 2) === dnsClass;
}

function isAddressRecord(
  packet: Uint8Array,
  at: number,
  { type, addressLength, ttl }: { readonly type: number; readonly addressLength: number; readonly ttl: number },
): boolean {
  return (
    readUint16(packet, at) === POINTER_TO_QUESTION &&
    readUint16(packet, at + 2) === type &&
    readUint16(packet, at + 4) === 1 &&
    readUint32(packet, at + 6) === ttl &&
    readUint16(packet, at + 10) === addressLength
  );
}

function isRepeated(packet: Uint8Array, at: number, from: number, recordLength: number): boolean {
  for (let other = from; other < at; other += recordLength) {
    let i = RECORD_HEADER;
    while (i < recordLength && packet[at + i] === packet[other + i]) i++;
    if (i === recordLength) return true;
  }
  return false;
}

/** Accepts nothing, or one OPT record with at most a valid cookie. */
function endsWithOpt(packet: Uint8Array, at: number, cookies: QueryStyle['cookies']): boolean {
  const additional = readUint16(packet, 10);
  if (additional === 0) return at === packet.length && (!cookies || cookies.accepts(undefined));
  const isOpt =
    additional === 1 &&
    at + OPT_LENGTH <= packet.length &&
    packet[at] === 0 &&
    readUint16(packet, at + 1) === types.OPT &&
    // Extended RCODE and version must be 0.
    readUint16(packet, at + 5) === 0;
  if (!isOpt) return false;
  const dataLength = readUint16(packet, at + 9);
  const data = at + OPT_LENGTH;
  if (data + dataLength !== packet.length) return false;
  if (dataLength === 0) return !cookies || cookies.accepts(undefined);
  const isCookie =
    cookies !== undefined &&
    dataLength >= OPTION_HEADER_LENGTH &&
    readUint16(packet, data) === optionCodes.cookie &&
    readUint16(packet, data + 2) === dataLength - OPTION_HEADER_LENGTH;
  return isCookie && cookies.accepts(packet.slice(data + OPTION_HEADER_LENGTH));
}
