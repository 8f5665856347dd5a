import { wireName } from '../../kit/wire-name.ts';

/** A domain in wire form and lower case, to compare the ends of names with. */
export type Suffix = Uint8Array;

export function suffix(domain: string): Suffix | undefined {
  return wireName(domain.toLowerCase());
}

/** Whether the name that stands from `at` to `end` is the domain or below it. `end` is behind the root byte. */
export function isAtOrUnder(bytes: Uint8Array, at: number, end: number, domain: Suffix): boolean {
  const start = end - domain.length;
  // The last letters tell most names apart without a walk over their labels.
  if (start < at || !endsLike(bytes, start, domain)) return false;
  let label = at;
  while (label < start) label += bytes[label]! + 1;
  return label === start;
}

export const isName = (bytes: Uint8Array, at: number, end: number, name: Suffix): boolean =>
  end - at === name.length && endsLike(bytes, at, name);

/** From the end, because names begin alike (`www.`) more often than they end alike in the letter before the last. */
function endsLike(bytes: Uint8Array, start: number, domain: Suffix): boolean {
  for (let i = domain.length - 1; i >= 0; i--) {
    const byte = bytes[start + i]!;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (folded !== domain[i]) return false;
  }
  return true;
}
