import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether this address is one of our own proxies, whose word about others is believed. */
export type Trusted = (address: Address) => boolean;

/** Throws on what is no address or network: a proxy list that means less than it says is no list. */
export function parseTrusted(networks: readonly string[]): Trusted {
  const parsed = networks.map(parseNetwork);
  return (address) =>
    parsed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The same of an address as sockets write it. */
export const isTrustedBy =
  (trusted: Trusted) =>
  (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && trusted(address);
  };

/**
 * Who is asking: the other end of the connection, unless that is a trusted proxy. Then the hops of X-Forwarded-For are
 * walked from the right, as far as trusted proxies wrote them; anybody can write what stands further left.
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
  // A socket of another kind has no address that could be trusted.
  if (!client) return socketAddress;
  const hops = [forwardedFor].flat().join().split(',');
  while (trusted(client)) {
    const hop = parseAddress(withoutPort(hops.pop()?.trim() ?? ''));
    if (!hop) break;
    client = hop;
  }
  return client.toString();
}

/** What limits count by: an IPv4 address, or the /64 that an IPv6 address is in, since every host has all of a /64. */
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

/** Some proxies append the port they were called from. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
