import { readUint16, readUint32 } from '../dns/bytes.ts';
import { HEADER_LENGTH, rcodes, types } from '../dns/numbers.ts';
import { cacheLimits } from '../dns/ttl.ts';
import { writtenNameEnd } from '../dns/wire-names.ts';

const TRUNCATED = 0x02;
// After the name of a record: type, class, TTL, length.
const [TTL, LENGTH, DATA] = [4, 8, 10];

/**
 * Cache-Control max-age of an answer: its smallest TTL; 0 for an error (RFC 8484, 5.1). The same as `cacheSeconds` of
 * dns/ttl.ts, without parsing the whole message.
 */
export function maxAge(bytes: Uint8Array, at: number, length: number): number {
  const end = at + length;
  const code = bytes[at + 3]! & 0xf;
  const mayBeKept = code === rcodes.NOERROR || code === rcodes.NXDOMAIN;
  if (!mayBeKept || (bytes[at + 2]! & TRUNCATED) !== 0 || readUint16(bytes, at + 4) !== 1) return 0;
  const questionNameEnd = writtenNameEnd(bytes, at, at + HEADER_LENGTH, end);
  const questionType = readUint16(bytes, questionNameEnd);
  let least = Number.POSITIVE_INFINITY;
  let isAnswered = false;
  let recordAt = questionNameEnd + 4;
  for (let records = readUint16(bytes, at + 6); records > 0; records--) {
    const fixed = writtenNameEnd(bytes, at, recordAt, end);
    if (fixed === -1 || fixed + DATA > end) return 0;
    least = Math.min(least, readUint32(bytes, fixed + TTL));
    const type = readUint16(bytes, fixed);
    isAnswered ||= code === rcodes.NOERROR && (type === questionType || questionType === types.ANY);
    recordAt = fixed + DATA + readUint16(bytes, fixed + LENGTH);
  }
  if (isAnswered) return Math.min(cacheLimits.positiveSeconds, least);
  return Math.min(cacheLimits.negativeSeconds, negativeSeconds(bytes, at, recordAt, end), least);
}

/** From the SOA (RFC 2308, 5); 0 without one. */
function negativeSeconds(bytes: Uint8Array, at: number, from: number, end: number): number {
  let recordAt = from;
  for (let records = readUint16(bytes, at + 8); records > 0; records--) {
    const fixed = writtenNameEnd(bytes, at, recordAt, end);
    if (fixed === -1 || fixed + DATA > end) return 0;
    recordAt = fixed + DATA + readUint16(bytes, fixed + LENGTH);
    if (recordAt > end) return 0;
    if (readUint16(bytes, fixed) === types.SOA)
      return Math.min(readUint32(bytes, fixed + TTL), readUint32(bytes, recordAt - 4));
  }
  return 0;
}
