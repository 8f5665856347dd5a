import { parseIp, unmapped } from '../../kit/ip-address.ts';

const V6_LENGTH = 16;
const V4_IN_V6 = 12;

/** Where the IPv4 address begins in an address of either form; -1 for one that is IPv6 and nothing else. */
export function v4At(address: Uint8Array): number {
  if (address.length !== V6_LENGTH) return 0;
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return -1;
  return address[10] === 0xff && address[11] === 0xff ? V4_IN_V6 : -1;
}

/** The same text for the same address, mapped or not. For maps; not for people. */
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

/** 4 or 16 bytes; an IPv4 address that is written as an IPv6 one is 4. */
export function addressBytes(text: string): Uint8Array | undefined {
  const ip = parseIp(text);
  return ip && Uint8Array.from(unmapped(ip).bytes);
}
