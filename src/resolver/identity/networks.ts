import { parseNetwork } from '../../kit/ip-network.ts';
import { v4At } from './address-key.ts';

/** Takes 4 or 16 bytes; an IPv4-mapped address equals its IPv4 address. Allocates nothing. */
export type IsInNetworks = (address: Uint8Array) => boolean;

type Family = 'V4' | 'V6';
type Range = { readonly family: Family; readonly first: bigint; readonly last: bigint };
/** Disjoint ranges in ascending order, as 32-bit words. */
type Ranges = { readonly count: number; readonly firsts: Uint32Array; readonly lasts: Uint32Array };

const WORDS = { V4: 1, V6: 4 } as const satisfies Record<Family, number>;

/**
 * Addresses and networks (`192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`). Networks of one family contain no address of the
 * other: not even `::/0` contains IPv4 addresses. Invalid entries are ignored.
 */
export function networkSet(entries: readonly string[]): IsInNetworks {
  const ranges = entries.flatMap((entry) => rangeOf(entry) ?? []);
  const v4 = rangesOf(ranges, 'V4');
  const v6 = rangesOf(ranges, 'V6');
  return (address) => {
    const at = v4At(address);
    return at >= 0 ? holds(v4, address, at, WORDS.V4) : holds(v6, address, 0, WORDS.V6);
  };
}

function rangeOf(entry: string): Range | undefined {
  const network = parseNetwork(entry);
  if (!network) return undefined;
  const { family, bytes, prefix } = network;
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return { family, first, last: first | ((1n << BigInt(bytes.length * 8 - prefix)) - 1n) };
}

function rangesOf(all: readonly Range[], family: Family): Ranges {
  const inOrder = all
    .filter((range) => range.family === family)
    .sort((a, b) => compare(a.first, b.first) || compare(b.last, a.last));
  const outer: Range[] = [];
  // Two networks are nested or disjoint, and the larger one sorts first.
  for (const range of inOrder) if (range.last > (outer.at(-1)?.last ?? -1n)) outer.push(range);
  const words = (bound: 'first' | 'last') =>
    Uint32Array.from(outer.flatMap((range) => wordsOf(range[bound], WORDS[family])));
  return { count: outer.length, firsts: words('first'), lasts: words('last') };
}

const compare = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

const wordsOf = (value: bigint, words: number): number[] =>
  Array.from({ length: words }, (_, index) => Number((value >> BigInt(32 * (words - 1 - index))) & 0xffff_ffffn));

/** Only the last range that begins at or before the address can contain it. */
function holds({ count, firsts, lasts }: Ranges, address: Uint8Array, at: number, words: number): boolean {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(address, at, firsts, middle * words, words)) high = middle;
    else low = middle + 1;
  }
  return low > 0 && !isAbove(address, at, lasts, (low - 1) * words, words);
}

const word = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

function isBelow(address: Uint8Array, at: number, bounds: Uint32Array, from: number, words: number): boolean {
  for (let i = 0; i < words; i++) {
    const mine = word(address, at + 4 * i);
    if (mine !== bounds[from + i]) return mine < bounds[from + i]!;
  }
  return false;
}

function isAbove(address: Uint8Array, at: number, bounds: Uint32Array, from: number, words: number): boolean {
  for (let i = 0; i < words; i++) {
    const mine = word(address, at + 4 * i);
    if (mine !== bounds[from + i]) return mine > bounds[from + i]!;
  }
  return false;
}
