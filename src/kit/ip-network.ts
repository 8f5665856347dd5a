import { formatIp, type IpAddress, parseIp, unmapped } from './ip-address.ts';

/** A network in CIDR form; the bits after the prefix are zero. */
export type IpNetwork = {
  readonly family: IpAddress['family'];
  readonly bytes: readonly number[];
  readonly prefix: number;
};

/** `192.168.0.0/16`, `fd00::/8`, or one address. Bits after the prefix are cleared. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [address = '', length, ...rest] = text.trim().split('/', 3);
  const ip = parseIp(address);
  if (!ip || rest.length > 0) return undefined;
  const { family, bytes } = unmapped(ip);
  const bits = bytes.length * 8;
  if (length === undefined) return { family, bytes, prefix: bits };
  // ::ffff:192.0.2.0/120 is 192.0.2.0/24.
  const prefix = Number(length) - (family === ip.family ? 0 : 96);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length) || prefix < 0 || prefix > bits) return undefined;
  return { family, bytes: masked(bytes, prefix), prefix };
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
