import type { IpAddress } from '../kit/ip-address.ts';
import { type IpNetwork, parseNetwork } from '../kit/ip-network.ts';

/** The name whose PTR record names the host of an address. */
export const reverseName = ({ family, bytes }: IpAddress): string => zoneOf(family, bytes, bytes.length * 8);

/** The zone with the PTR records of a network; undefined if the prefix ends inside a label of the zone. */
export function reverseZone({ family, bytes, prefix }: IpNetwork): string | undefined {
  const bitsPerLabel = family === 'V4' ? 8 : 4;
  return prefix > 0 && prefix % bitsPerLabel === 0 ? zoneOf(family, bytes, prefix) : undefined;
}

/** `192.168.1.0/24` or `192.168.1.7`. */
export function parseReverseZone(text: string): string | undefined {
  const network = parseNetwork(text);
  return network && reverseZone(network);
}

function zoneOf(family: IpAddress['family'], bytes: readonly number[], prefix: number): string {
  if (family === 'V4') return [...bytes.slice(0, prefix / 8).toReversed(), 'in-addr.arpa'].join('.');
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 0xf]).slice(0, prefix / 4);
  return [...nibbles.toReversed().map((nibble) => nibble.toString(16)), 'ip6.arpa'].join('.');
}
