import { formatIp, type IpAddress, parseIp, unmapped } from './ip-address.ts';

/** A network in CIDR form; the bits after the prefix are zero. */
export type IpNetwork = {
  readonly family: IpAddress['family'];
  readonly bytes: readonly number[];
  readonly prefix: number;
};

/** An address and its prefix length as written: `192.168.1.7/16`, `fd00::/8`, or one address. */
type Cidr = { readonly ip: IpAddress; readonly prefix: number | undefined };

export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length, ...rest] = text.trim().split('/', 3);
  const ip = parseIp(address);
  if (!ip || rest.length > 0) return undefined;
  if (length === undefined) return { ip, prefix: undefined };
  const isPrefix = /^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= ip.bytes.length * 8;
  return isPrefix ? { ip, prefix: Number(length) } : undefined;
}

const MAPPED_BITS = 96;

/** The network of an address and its prefix length. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const cidr = parseCidr(text);
  if (!cidr) return undefined;
  const { family, bytes } = unmapped(cidr.ip);
  if (cidr.prefix === undefined) return { family, bytes, prefix: bytes.length * 8 };
  // ::ffff:192.0.2.0/120 is 192.0.2.0/24.
  const prefix = cidr.prefix - (family === cidr.ip.family ? 0 : MAPPED_BITS);
  return prefix < 0 ? undefined : { family, bytes: masked(bytes, prefix), prefix };
}

export const formatNetwork = ({ family, bytes, prefix }: IpNetwork): string =>
  `${formatIp({ family, bytes })}/${prefix}`;

/** Whether the first network contains all of the second. */
export const contains = (outer: IpNetwork, inner: IpNetwork): boolean =>
  outer.family === inner.family &&
  outer.prefix <= inner.prefix &&
  masked(inner.bytes, outer.prefix).every((byte, index) => byte === outer.bytes[index]);

/** The bytes of an address with the bits after the prefix cleared. */
export const masked = (bytes: ArrayLike<number>, prefix: number): number[] =>
  Array.from(bytes, (byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff);
