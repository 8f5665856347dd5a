import { formatIp, parseIp, unmapped } from '../kit/ip-address.ts';

const BYTES = { V4: 3, V6: 6 } as const;

/** Network for fair queueing: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function networkKey(address: string): string {
  const parsed = parseIp(address.replace(/\/\d+$/, ''));
  if (!parsed) return address;
  const { family, bytes } = unmapped(parsed);
  const length = BYTES[family];
  return `${formatIp({ family, bytes: bytes.map((byte, index) => (index < length ? byte : 0)) })}/${length * 8}`;
}
