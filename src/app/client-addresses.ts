import type { ListenAddresses } from '../dns-server/listen-all.ts';

/** `url` is undefined on a node without a web interface. */
type Where = ListenAddresses & { readonly url?: string };

const WILDCARDS: readonly string[] = ['::', '0.0.0.0'];

/** The addresses that people enter in browsers and routers, as log lines. */
export function clientAddresses(
  { url, dns }: Where,
  ownAddresses: readonly string[],
): readonly (readonly [object, string])[] {
  const lines: [object, string][] = url === undefined ? [] : [[{ url }, 'web interface']];
  if (!dns) return lines;
  const own = ownAddresses.length > 0 ? ownAddresses : ['127.0.0.1'];
  const addresses = WILDCARDS.includes(dns.host)
    ? own.filter((address) => dns.host === '::' || !address.includes(':'))
    : [dns.host];
  lines.push([
    { addresses: addresses.join(' '), port: dns.port },
    'DNS server for routers and devices of this network',
  ]);
  return lines;
}
