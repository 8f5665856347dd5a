import ipaddr from 'ipaddr.js';

/** Whether a connection may be made to this IP address. */
export type AddressPolicy = (address: string) => boolean;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Only the public Internet, plus the networks in `allow`, minus those in `deny`, which has the last word. */
export function publicAddresses(options: { allow?: readonly string[]; deny?: readonly string[] } = {}): AddressPolicy {
  const allow = (options.allow ?? []).map(parseNetwork);
  const deny = (options.deny ?? []).map(parseNetwork);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    // The system connects a mapped address over IPv4, past every IPv4 network named here.
    if (isMapped(address) || isIn(deny, address)) return false;
    return isIn(allow, address) || isPublic(address);
  };
}

function parseNetwork(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) throw new Error(`not an IP address or network: ${text}`);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

// An address with a zone (fe80::1%eth0) parses; it is link-local and falls with its range.
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && !isIn(notPublic, address) && (isIpv4(address) || isIn([globalUnicast], address));

const isIpv4 = (address: Address): address is ipaddr.IPv4 => address.kind() === 'ipv4';
const isMapped = (address: Address): boolean => !isIpv4(address) && address.isIPv4MappedAddress();

const isIn = (networks: readonly Network[], address: Address): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

// All of IPv6 that has been given out (RFC 4291, section 2.4). ipaddr.js calls everything it has no name for
// unicast, among it the old IPv4-compatible ::/96, through which ::7f00:1 could mean 127.0.0.1.
const globalUnicast = parseNetwork('2000::/3');

const notPublic = [
  // Azure's machine agent: a public address that only ever answers from inside.
  '168.63.129.16',
].map(parseNetwork);
