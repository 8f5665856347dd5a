/** An IP address as bytes, independent of its spelling. */
export type IpAddress = { readonly family: 'V4' | 'V6'; readonly bytes: readonly number[] };

const V6_GROUPS = 8;

export function parseIp(text: string): IpAddress | undefined {
  const v4 = ipv4Bytes(text);
  if (v4) return { family: 'V4', bytes: v4 };
  const groups = ipv6Groups(text);
  return groups && { family: 'V6', bytes: groups.flatMap((group) => [group >> 8, group & 0xff]) };
}

export const parseIpOf = (family: IpAddress['family'], text: string): IpAddress | undefined => {
  const ip = parseIp(text);
  return ip?.family === family ? ip : undefined;
};

// Leading zeros are rejected: some programs read 010 as octal.
const ipv4Octet = /^(?:0|[1-9]\d{0,2})$/;

function ipv4Bytes(text: string): number[] | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4 || !parts.every((part) => ipv4Octet.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function ipv6Groups(text: string): number[] | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (!head) return undefined;
  if (halves.length === 1) return head.length === V6_GROUPS ? head : undefined;
  if (!tail || head.length + tail.length >= V6_GROUPS) return undefined;
  return [...head, ...Array<number>(V6_GROUPS - head.length - tail.length).fill(0), ...tail];
}

function groupsOf(half: string, isLast: boolean): number[] | undefined {
  if (half === '') return [];
  const parts = half.split(':');
  const v4 = isLast ? ipv4Bytes(parts.at(-1)!) : undefined;
  const plain = v4 ? parts.slice(0, -1) : parts;
  if (!plain.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  const groups = plain.map((part) => Number.parseInt(part, 16));
  return v4 ? [...groups, v4[0]! * 256 + v4[1]!, v4[2]! * 256 + v4[3]!] : groups;
}

/** Canonical text of an address (RFC 5952 for IPv6). */
export function formatIp({ family, bytes }: IpAddress): string {
  if (family === 'V4') return bytes.join('.');
  const groups = Array.from({ length: V6_GROUPS }, (_, index) => bytes[2 * index]! * 256 + bytes[2 * index + 1]!);
  const run = longestZeroRun(groups);
  const hex = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return run.length < 2 ? hex(0, V6_GROUPS) : `${hex(0, run.start)}::${hex(run.start + run.length, V6_GROUPS)}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** IPv4 address of an IPv4-mapped one (::ffff:192.0.2.1), as dual-stack sockets report it. */
export const unmapped = (ip: IpAddress): IpAddress =>
  ip.family === 'V6' && mappedPrefix.every((byte, index) => ip.bytes[index] === byte)
    ? { family: 'V4', bytes: ip.bytes.slice(12) }
    : ip;
