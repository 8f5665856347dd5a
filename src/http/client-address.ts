import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether the address is a trusted proxy. */
export type Trusted = (address: Address) => boolean;

/** Throws for an invalid address or network: ignoring an entry would weaken the list. */
export function parseTrusted(networks: readonly string[]): Trusted {
  const parsed = networks.map(parseNetwork);
  return (address) =>
    parsed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The same for an address as text. */
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
  return client.toString();
}

/** Key of rate limits: an IPv4 address, or the /64 of an IPv6 address, since a host controls a whole /64. */
export function limitKey(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed || parsed.kind() === 'ipv4') return parsed?.toString() ?? address;
  const { parts } = parsed as ipaddr.IPv6;
  const network = new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}

/** IPv4 over IPv6 sockets (::ffff:192.0.2.1) is IPv4. isIP first: ipaddr.js also reads 10 and 010.1.1.1 as addresses. */
const parseAddress = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.process(text));

function parseNetwork(text: string): readonly [Address, number] {
  const [address = '', bits] = text.split('/');
  const parsed = isIP(address) === 0 ? undefined : ipaddr.parse(address);
  if (!parsed || (bits !== undefined && !ipaddr.isValidCIDR(text)))
    throw new Error(`not an IP address or network: ${text}`);
  const length = bits === undefined ? parsed.toByteArray().length * 8 : Number(bits);
  const isMapped = parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress();
  return isMapped && length >= 96 ? [(parsed as ipaddr.IPv6).toIPv4Address(), length - 96] : [parsed, length];
}

/** Some proxies append the port of the client. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
