import { formatIp } from '../kit/ip-address.ts';
import { parseCidr } from '../kit/ip-network.ts';

const MAX_ASN = 0xffff_ffff;

/** Normalises an entry of an access list: an address, a network (10.0.0.0/8) or an autonomous system (AS15169). */
export function parseClientEntry(text: string): string | undefined {
  const trimmed = text.trim();
  return autonomousSystem(trimmed) ?? addressOrNetwork(trimmed);
}

function autonomousSystem(text: string): string | undefined {
  const digits = /^as([1-9]\d{0,9})$/i.exec(text)?.[1];
  return digits && Number(digits) <= MAX_ASN ? `AS${digits}` : undefined;
}

function addressOrNetwork(text: string): string | undefined {
  const cidr = parseCidr(text);
  return cidr && `${formatIp(cidr.ip)}${cidr.prefix === undefined ? '' : `/${cidr.prefix}`}`;
}
