import { formatNetwork, type IpNetwork, parseNetwork } from '../kit/ip-network.ts';

/** The well-known prefix of RFC 6052, 2.1. */
export const DEFAULT_DNS64_PREFIX = '64:ff9b::/96';

// RFC 6052, 2.2.
const LENGTHS = [32, 40, 48, 56, 64, 96];
// Bits 64 to 71 must be zero.
const RESERVED_BYTE = 8;

export const dns64PrefixRequirements = `must be an IPv6 network with a prefix length of ${LENGTHS.join(', ')}, such as ${DEFAULT_DNS64_PREFIX}`;

/** A NAT64 prefix; undefined if it is invalid. */
export function parseDns64Prefix(text: string): IpNetwork | undefined {
  const network = text.includes('/') ? parseNetwork(text) : undefined;
  const isValid = network?.family === 'V6' && LENGTHS.includes(network.prefix) && network.bytes[RESERVED_BYTE] === 0;
  return isValid ? network : undefined;
}

export const formatDns64Prefix = formatNetwork;
