import { formatIp, type IpAddress, parseIp, unmapped } from '../kit/ip-address.ts';
import { contains, formatNetwork, masked, parseNetwork } from '../kit/ip-network.ts';

/** Whether the address is a trusted proxy. */
export type Trusted = (address: IpAddress) => boolean;

/** Throws for an invalid address or network, because ignoring an entry would weaken the list. */
export function parseTrusted(networks: readonly string[]): Trusted {
  const parsed = networks.map((text) => {
    const network = parseNetwork(text);
    if (!network) throw new Error(`not an IP address or network: ${text}`);
    return network;
  });
  return (address) => {
    const host = { ...address, prefix: address.bytes.length * 8 };
    return parsed.some((network) => contains(network, host));
  };
}

/** Converts `trusted` to a function that takes an address as text. */
export const isTrustedBy =
  (trusted: Trusted) =>
  (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && trusted(address);
  };

/**
 * The client address: the peer of the connection, unless it is a trusted proxy. Then X-Forwarded-For is read from the
 * right as long as the hops are trusted proxies; entries further left can be forged.
 */
export function clientAddress({
  socketAddress,
  forwardedFor = '',
  trusted,
}: {
  socketAddress: string;
  forwardedFor?: string | readonly string[] | undefined;
  trusted: Trusted;
}): string {
  let client = parseAddress(socketAddress);
  // Other sockets have no address to trust.
  if (!client) return socketAddress;
  const hops = [forwardedFor].flat().join().split(',');
  while (trusted(client)) {
    const hop = parseAddress(withoutPort(hops.pop()?.trim() ?? ''));
    if (!hop) break;
    client = hop;
  }
  return formatIp(client);
}

/** Key of rate limits: an IPv4 address, or the /64 of an IPv6 address, since a host controls a whole /64. */
export function limitKey(address: string): string {
  const parsed = parseAddress(address);
  if (parsed?.family !== 'V6') return parsed ? formatIp(parsed) : address;
  return formatNetwork({ family: 'V6', bytes: masked(parsed.bytes, 64), prefix: 64 });
}

/** IPv4 over IPv6 sockets (::ffff:192.0.2.1) is IPv4. A zone (fe80::1%eth0) is not part of the address. */
function parseAddress(text: string): IpAddress | undefined {
  const ip = parseIp(text.split('%', 1)[0]!);
  return ip && unmapped(ip);
}

/** Some proxies append the port of the client. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
