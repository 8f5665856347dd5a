import { parseIp, unmapped } from '../../kit/ip-address.ts';

const V6_LENGTH = 16;
const V4_IN_V6 = 12;

/** Offset of the IPv4 address in an IPv4 or IPv4-mapped address; -1 for any other IPv6 address. */
export function v4At(address: Uint8Array): number {
  if (address.length !== V6_LENGTH) return 0;
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return -1;
  return address[10] === 0xff && address[11] === 0xff ? V4_IN_V6 : -1;
}

/** Map key of an address; an IPv4-mapped address has the key of its IPv4 address. Not for display. */
export function addressKey(address: Uint8Array): string {
  const v4 = v4At(address);
  if (v4 >= 0) return String.fromCharCode(two(address, v4), two(address, v4 + 2));
  return String.fromCharCode(
    two(address, 0),
    two(address, 2),
    two(address, 4),
    two(address, 6),
    two(address, 8),
    two(address, 10),
    two(address, 12),
    two(address, 14),
  );
}

const two = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

/** 4 or 16 bytes; an IPv4-mapped IPv6 address has 4. */
export function addressBytes(text: string): Uint8Array | undefined {
  const ip = parseIp(text);
  return ip && Uint8Array.from(unmapped(ip).bytes);
}
