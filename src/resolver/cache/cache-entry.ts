import { cacheLimits, cacheSeconds, capTtls, ttlOffsets } from '../../dns/ttl.ts';
import { answerItems } from '../pipeline/answer-targets.ts';
import type { Answered } from '../upstream/upstream-answer.ts';
import type { Keepable } from './write-cache.ts';

/** An upstream's answer, in the form in which it is kept and in which clients' answers are written from it. */
export type Kept = Pick<Keepable, 'message' | 'ttlOffsets' | 'items' | 'ttlSeconds'>;

export function keptAnswer({ bytes, message }: Pick<Answered, 'bytes' | 'message'>): Kept | undefined {
  const offsets = ttlOffsets(bytes);
  if (offsets === undefined) return undefined;
  capTtls(bytes, offsets, cacheLimits.positiveSeconds);
  return { message: bytes, ttlOffsets: offsets, items: answerItems(message), ttlSeconds: cacheSeconds(message) };
}
