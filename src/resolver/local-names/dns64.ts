import { parseDns64Prefix } from '../../domain/dns64-prefix.ts';
import { reverseName, reverseZone } from '../../domain/reverse-name.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';

/** A NAT64 prefix, into which IPv4 addresses are embedded (RFC 6052). */
export type Dns64Prefix = {
  readonly bytes: Uint8Array;
  /** Number of bytes of the prefix. */
  readonly length: number;
  /** 64:ff9b::/96 must not have private IPv4 addresses (RFC 6052, 3.1). */
  readonly isWellKnown: boolean;
  /** The zone with PTR records of its addresses, in wire format. */
  readonly zone: Uint8Array;
};

const WELL_KNOWN = '0,100,255,155,0,0,0,0,0,0,0,0,0,0,0,0';
const RESERVED_BYTE = 8;

export function compileDns64(text: string): Dns64Prefix | undefined {
  const network = parseDns64Prefix(text);
  const zone = network && wireName(reverseZone(network)!);
  if (!network || !zone) return undefined;
  const isWellKnown = network.prefix === 96 && network.bytes.join(',') === WELL_KNOWN;
  return { bytes: Uint8Array.from(network.bytes), length: network.prefix / 8, isWellKnown, zone };
}

/** Positions of the four IPv4 bytes; byte 8 is reserved (RFC 6052, 2.2). */
const positions = ({ length }: Dns64Prefix): readonly number[] =>
  [0, 1, 2, 3].map((nth) => length + nth).map((at) => (length <= RESERVED_BYTE && at >= RESERVED_BYTE ? at + 1 : at));

export function embedAddress(prefix: Dns64Prefix, address: Uint8Array): Uint8Array {
  const bytes = prefix.bytes.slice();
  for (const [nth, at] of positions(prefix).entries()) bytes[at] = address[nth]!;
  return bytes;
}

/** The reverse name of the IPv4 address in a reverse name below the prefix (RFC 6147, 5.3.1); undefined for other names. */
export function translatedReverseName(prefix: Dns64Prefix, name: Uint8Array): Uint8Array | undefined {
  const nibbles = nameText(name, 0).split('.').slice(0, -2);
  if (nibbles.length !== 32 || !nibbles.every((nibble) => /^[0-9a-f]$/.test(nibble))) return undefined;
  const digits = nibbles.toReversed();
  const bytes = Array.from({ length: 16 }, (_, at) => Number.parseInt(`${digits[2 * at]}${digits[2 * at + 1]}`, 16));
  if (!prefix.bytes.subarray(0, prefix.length).every((byte, at) => bytes[at] === byte)) return undefined;
  return wireName(reverseName({ family: 'V4', bytes: positions(prefix).map((at) => bytes[at]!) }));
}
