import { addressBytes } from '../identity/address-key.ts';
import type { IsTrusted } from './listener.ts';

/**
 * The client behind HTTP proxies. Reads X-Forwarded-For from the right while the entries were written by trusted proxies; the remaining
 * entries can be forged.
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

/** Some proxies append the client's port. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
