import { rcodes } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import { cacheSeconds } from '../../dns/ttl.ts';

/** How long a cache of HTTP may keep an answer: as long as its shortest record lives; a fault not at all (RFC 8484, 5.1). */
export function maxAge(bytes: Uint8Array, at: number, length: number): number {
  const message = readMessage(bytes.subarray(at, at + length));
  if (!message.ok || (message.value.rcode !== rcodes.NOERROR && message.value.rcode !== rcodes.NXDOMAIN)) return 0;
  return cacheSeconds(message.value);
}
