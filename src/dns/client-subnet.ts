import { readUint16 } from './bytes.ts';
import type { EdnsOption } from './message.ts';
import { optionCodes } from './numbers.ts';

/** Client subnet option (RFC 7871). */
export type ClientSubnet = {
  /** 4 or 16 bytes, zero beyond the prefix; empty for family 0, which some clients send to opt out. */
  readonly address: Uint8Array;
  readonly prefixLength: number;
  /** Scope prefix length of the response; 0 in queries. */
  readonly scope: number;
};

const FIXED_LENGTH = 4;
const addressBytes = [0, 4, 16];

/** Whether the option is well-formed; bits beyond the prefix must be 0 (RFC 7871, 6). */
export function isClientSubnet(bytes: Uint8Array, at: number, length: number, of: 'query' | 'answer'): boolean {
  if (length < FIXED_LENGTH) return false;
  const family = readUint16(bytes, at);
  const prefixLength = bytes[at + 2]!;
  const scope = bytes[at + 3]!;
  const bits = (addressBytes[family] ?? -1) * 8;
  if (prefixLength > bits || scope > bits || (of === 'query' && scope !== 0)) return false;
  if (length !== FIXED_LENGTH + Math.ceil(prefixLength / 8)) return false;
  const beyond = prefixLength % 8;
  return beyond === 0 || ((bytes[at + length - 1]! << beyond) & 0xff) === 0;
}

export function readClientSubnet(
  bytes: Uint8Array,
  at: number,
  length: number,
  of: 'query' | 'answer',
): ClientSubnet | undefined {
  if (!isClientSubnet(bytes, at, length, of)) return undefined;
  const address = new Uint8Array(addressBytes[bytes[at + 1]!]!);
  address.set(bytes.subarray(at + FIXED_LENGTH, at + length));
  return { address, prefixLength: bytes[at + 2]!, scope: bytes[at + 3]! };
}

export function clientSubnetOption({ address, prefixLength, scope }: ClientSubnet): EdnsOption {
  const data = new Uint8Array(FIXED_LENGTH + Math.ceil(prefixLength / 8));
  data.set([0, addressBytes.indexOf(address.length), prefixLength, scope]);
  data.set(address.subarray(0, data.length - FIXED_LENGTH), FIXED_LENGTH);
  if (prefixLength % 8 !== 0) data[data.length - 1]! &= 0xff << (8 - (prefixLength % 8));
  return { code: optionCodes.clientSubnet, data };
}
