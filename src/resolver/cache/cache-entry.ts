import { readUint16 } from '../../dns/bytes.ts';
import { rcodes } from '../../dns/numbers.ts';
import { cacheLimits, cacheSeconds, capNegativeTtls, capTtls, ttlOffsets } from '../../dns/ttl.ts';
import { answerTargets } from '../pipeline/answer-targets.ts';
import type { Answered } from '../upstream/upstream-answer.ts';
import type { CacheEntry } from './write-cache.ts';

/** A cached upstream answer, from which responses to clients are written. */
export type CachedAnswer = Pick<CacheEntry, 'message' | 'ttlOffsets' | 'targets' | 'ttlSeconds'>;

/** NXDOMAIN applies to all types (RFC 2308, 5). With a CNAME in the answer, the name that does not exist is its target. */
export const isForAllTypes = ({ message }: CachedAnswer): boolean =>
  (message[3]! & 0xf) === rcodes.NXDOMAIN && readUint16(message, 6) === 0;

export function toCachedAnswer({ bytes, message }: Pick<Answered, 'bytes' | 'message'>): CachedAnswer | undefined {
  const offsets = ttlOffsets(bytes);
  if (offsets === undefined) return undefined;
  capTtls(bytes, offsets, cacheLimits.positiveSeconds);
  capNegativeTtls(bytes, offsets, message);
  return { message: bytes, ttlOffsets: offsets, targets: answerTargets(message), ttlSeconds: cacheSeconds(message) };
}
