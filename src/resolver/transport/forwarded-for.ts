import { addressBytes } from '../identity/address-key.ts';
import type { IsTrusted } from './listener.ts';

/**
 * Who asks through HTTP proxies: the hops of X-Forwarded-For, walked from the right as far as trusted proxies wrote them.
 * Anybody can write what stands further left.
 */
export function forwardedClient(peer: Uint8Array, forwardedFor: string | undefined, isTrusted: IsTrusted): Uint8Array {
  let client = peer;
  const hops = (forwardedFor ?? '').split(',');
  while (hops.length > 0 && isTrusted(client)) {
    const hop = addressBytes(withoutPort(hops.pop()!.trim()));
    if (!hop) break;
    client = hop;
  }
  return client;
}

/** Some proxies append the port they were called from. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
