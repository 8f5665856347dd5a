import type { ListenAddresses } from '../dns-server/listen-all.ts';
import { reachableAddresses } from '../platform/own-addresses.ts';

/** `url` is undefined on a node without a web interface. */
type Where = ListenAddresses & { readonly url?: string };

/** The addresses that people enter in browsers and routers, as log lines. */
export function clientAddresses(
  { url, dns }: Where,
  ownAddresses: readonly string[],
): readonly (readonly [object, string])[] {
  const lines: [object, string][] = url === undefined ? [] : [[{ url }, 'web interface']];
  if (!dns) return lines;
  const addresses = reachableAddresses(dns.host, ownAddresses);
  lines.push([
    { addresses: addresses.join(' '), port: dns.port },
    'DNS server for routers and devices of this network',
  ]);
  return lines;
}
