import { readUint16 } from '../../dns/bytes.ts';
import { rcodes } from '../../dns/numbers.ts';
import { cacheLimits, cacheSeconds, capNegativeTtls, capTtls, ttlOffsets } from '../../dns/ttl.ts';
import { answerTargets } from '../pipeline/answer-targets.ts';
import type { Answered } from '../upstream/upstream-answer.ts';
import type { CacheEntry } from './write-cache.ts';

/** An upstream answer as it is cached; responses to clients are written from it. */
export type CachedAnswer = Pick<CacheEntry, 'message' | 'ttlOffsets' | 'targets' | 'ttlSeconds'>;

/** A name that does not exist has no records of any type (RFC 2308, 5). With an alias in the answer, it is the name of its target. */
export const isForAllTypes = ({ message }: CachedAnswer): boolean =>
  (message[3]! & 0xf) === rcodes.NXDOMAIN && readUint16(message, 6) === 0;

export function toCachedAnswer({ bytes, message }: Pick<Answered, 'bytes' | 'message'>): CachedAnswer | undefined {
  const offsets = ttlOffsets(bytes);
  if (offsets === undefined) return undefined;
  capTtls(bytes, offsets, cacheLimits.positiveSeconds);
  capNegativeTtls(bytes, offsets, message);
  return { message: bytes, ttlOffsets: offsets, targets: answerTargets(message), ttlSeconds: cacheSeconds(message) };
}
