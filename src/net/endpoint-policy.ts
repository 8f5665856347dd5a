import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Destination of a connection: the host of its URL, and its address and port. */
type Endpoint = { readonly host: string; readonly address: string; readonly port: number };

/** Whether a connection is allowed. */
export type EndpointPolicy = (endpoint: Endpoint) => boolean;

export type PublicEndpoints = {
  /** Allowed ports of public addresses. */
  readonly ports: readonly number[];
  /** Addresses and networks (10.1.0.0/16) that are allowed at any port, private or not. */
  readonly allowNetworks?: readonly string[];
  /** Names that are allowed at any port and any address. */
  readonly allowHosts?: readonly string[];
  /** Whether this program listens there. Overrides everything else, so that it cannot be made to call itself. */
  readonly isOwn?: (listener: Pick<Endpoint, 'address' | 'port'>) => boolean;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Public addresses at some ports, and the exceptions of the operator. */
export function publicEndpoints(open: PublicEndpoints): EndpointPolicy {
  const networks = (open.allowNetworks ?? []).map(parseNetwork);
  const hosts = new Set((open.allowHosts ?? []).map(parseHost));
  const isOwn = open.isOwn ?? (() => false);
  return ({ host, address: text, port }) => {
    if (port === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    if (isAlias(address) || isOwn({ address: withoutZone(address), port })) return false;
    if (hosts.has(host) || isIn(networks, address)) return true;
    return open.ports.includes(port) && isPublic(address);
  };
}

/** The host of a URL as policies compare it: without brackets and trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '');

function parseHost(text: string): string {
  const bare = text.replace(/^\[|\]$/g, '');
  const isOneWord = isIPv6(bare) || !/[/?#@:\\\s]/.test(bare);
  const url = isOneWord ? URL.parse(`http://${isIPv6(bare) ? `[${bare}]` : bare}/`) : undefined;
  if (!url) throw new Error(`not the name of a host: ${text}`);
  return hostOf(url);
}

function parseNetwork(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) throw new Error(`not an IP address or network: ${text}`);
  const address = ipaddr.parse(text);
  return [address, isIpv4(address) ? 32 : 128];
}

// An address with a zone (fe80::1%eth0) is link-local and rejected by its range.
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && !isIn(notPublic, address) && (isIpv4(address) || isIn([globalUnicast], address));

const isIpv4 = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';

// In the format of the system's interface list.
const withoutZone = (address: Address): string => address.toString().replace(/%.*/, '');

/** The system connects these to other addresses: mapped ones over IPv4, 0.0.0.0 to this machine. */
const isAlias = (address: Address): boolean => address.range() === 'ipv4Mapped' || address.range() === 'unspecified';

const isIn = (networks: readonly Network[], address: Address): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

// All allocated IPv6 unicast (RFC 4291, section 2.4). ipaddr.js classifies every unnamed range as unicast, including
// the deprecated IPv4-compatible ::/96, where ::7f00:1 could mean 127.0.0.1.
const globalUnicast = parseNetwork('2000::/3');

const notPublic = [
  // Azure's machine agent: a public address that is only reachable from Azure machines.
  '168.63.129.16',
].map(parseNetwork);
