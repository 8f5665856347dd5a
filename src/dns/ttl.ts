import { readUint16, readUint32, writeUint32 } from './bytes.ts';
import type { Message, ResourceRecord } from './message.ts';
import { HEADER_LENGTH, rcodes, types } from './numbers.ts';
import { writtenNameEnd } from './wire-names.ts';

export type CacheLimits = { readonly positiveSeconds: number; readonly negativeSeconds: number };

/** Upper limit for caching, regardless of the TTL. */
export const cacheLimits: CacheLimits = { positiveSeconds: 86_400, negativeSeconds: 3_600 };

/**
 * Offsets of the TTLs in a response, for a cache that ages messages in place. Skips OPT, which uses the field for flags.
 * Returns undefined for a malformed message.
 */
export function ttlOffsets(message: Uint8Array): Uint16Array | undefined {
  const { length } = message;
  if (length < HEADER_LENGTH) return undefined;
  let at = HEADER_LENGTH;
  for (let questions = readUint16(message, 4); questions > 0; questions--) {
    at = writtenNameEnd(message, 0, at, length) + 4;
    if (at < HEADER_LENGTH || at > length) return undefined;
  }
  const found: number[] = [];
  for (
    let records = readUint16(message, 6) + readUint16(message, 8) + readUint16(message, 10);
    records > 0;
    records--
  ) {
    const fixed = writtenNameEnd(message, 0, at, length);
    if (fixed === -1 || fixed + 10 > length) return undefined;
    at = fixed + 10 + readUint16(message, fixed + 8);
    if (at > length) return undefined;
    if (readUint16(message, fixed) !== types.OPT) found.push(fixed + 4);
  }
  return Uint16Array.from(found);
}

export function capTtls(message: Uint8Array, offsets: Uint16Array, mostSeconds: number): void {
  for (let i = 0; i < offsets.length; i++) {
    writeUint32(message, offsets[i]!, Math.min(mostSeconds, readUint32(message, offsets[i]!)));
  }
}

/** Negative TTL from the SOA of a scrubbed response (RFC 2308, 5); undefined without SOA. */
export function negativeTtl({ authority }: Message): number | undefined {
  const soa = authority.find(({ type }) => type === types.SOA);
  return soa && Math.min(soa.ttl, readUint32(soa.data, soa.data.length - 4));
}

/**
 * Limits the TTLs of the authority section of a scrubbed negative response, so that other caches do not keep it longer
 * (RFC 2308, 3 and 5; RFC 9077 for NSEC).
 */
export function capNegativeTtls(bytes: Uint8Array, offsets: Uint16Array, message: Message, limits = cacheLimits): void {
  const ttl = isPositive(message) ? undefined : negativeTtl(message);
  if (ttl === undefined) return;
  const { answer, authority } = message;
  const ofAuthority = offsets.subarray(answer.length, answer.length + authority.length);
  capTtls(bytes, ofAuthority, Math.min(ttl, limits.negativeSeconds));
}

const isPositive = ({ rcode, answer, questions: [question] }: Message): boolean =>
  rcode === rcodes.NOERROR && answer.some(({ type }) => type === question?.type || question?.type === types.ANY);

/** Seconds a scrubbed response may be cached; 0 if it may not. */
export function cacheSeconds(message: Message, limits = cacheLimits): number {
  if (message.truncated || message.questions.length === 0) return 0;
  if (message.rcode !== rcodes.NOERROR && message.rcode !== rcodes.NXDOMAIN) return 0;
  if (isPositive(message)) return Math.min(limits.positiveSeconds, smallestTtl(message.answer));
  return Math.min(limits.negativeSeconds, negativeTtl(message) ?? 0, smallestTtl(message.answer));
}

const smallestTtl = (records: readonly ResourceRecord[]): number =>
  records.reduce((least, { ttl }) => Math.min(least, ttl), Number.POSITIVE_INFINITY);
