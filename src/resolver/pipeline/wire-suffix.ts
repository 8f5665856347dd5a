import { foldByte } from '../../kit/fold-byte.ts';
import { wireName } from '../../kit/wire-name.ts';

/** A domain in wire format and lower case, to compare with the ends of names. */
export type Suffix = Uint8Array;

export function suffix(domain: string): Suffix | undefined {
  return wireName(domain.toLowerCase());
}

/** Whether the name in `bytes` from `at` to `end` equals the domain or is below it. `end` is after the root byte. */
export function isAtOrUnder(bytes: Uint8Array, at: number, end: number, domain: Suffix): boolean {
  const start = end - domain.length;
  // Comparing the last bytes first excludes most names without reading their labels.
  if (start < at || !endsLike(bytes, start, domain)) return false;
  let label = at;
  while (label < start) label += bytes[label]! + 1;
  return label === start;
}

export const isName = (bytes: Uint8Array, at: number, end: number, name: Suffix): boolean =>
  end - at === name.length && endsLike(bytes, at, name);

/** From the end, because names share prefixes (`www.`) more often than the bytes before their last one. */
function endsLike(bytes: Uint8Array, start: number, domain: Suffix): boolean {
  for (let i = domain.length - 1; i >= 0; i--) {
    if (foldByte(bytes[start + i]!) !== domain[i]) return false;
  }
  return true;
}
