import { rcodes, types } from '../../dns/numbers.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import { isAtOrUnder, isName, type Suffix, suffix } from './wire-suffix.ts';

/** Names that clients query for information about the resolver, and names that must not go upstream. */
export type SpecialName =
  | 'private relay'
  | 'chrome prefetch'
  | 'firefox canary'
  | 'designated resolvers'
  | 'resolver zone'
  | 'localhost';

export type SpecialAnswer =
  /** Resolved like any other name. */
  | { readonly kind: 'none' }
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'no data' }
  | { readonly kind: 'address'; readonly data: Uint8Array }
  | { readonly kind: 'designated resolvers' };

export type SpecialSettings = Readonly<
  Pick<ProfileSettings, 'blockPrivateRelay' | 'blockChromePrefetch' | 'blockFirefoxCanary'>
>;

const alone: Readonly<Record<string, SpecialName>> = {
  'mask.icloud.com': 'private relay',
  'mask-h2.icloud.com': 'private relay',
  'mask-canary.icloud.com': 'private relay',
  'dns-tunnel-check.googlezip.net': 'chrome prefetch',
  'use-application-dns.net': 'firefox canary',
  '_dns.resolver.arpa': 'designated resolvers',
};

const withAllBelow: Readonly<Record<string, SpecialName>> = {
  'resolver.arpa': 'resolver zone',
  localhost: 'localhost',
};

type Row = { readonly wire: Suffix; readonly name: SpecialName };

const rowsOf = (names: Readonly<Record<string, SpecialName>>): readonly Row[] =>
  Object.entries(names).map(([text, name]) => ({ wire: suffix(text)!, name }));

const LONGEST_NAME = 255;
// Indexed by length, so that one lookup excludes most names.
const aloneByLength: readonly (readonly Row[])[] = Array.from({ length: LONGEST_NAME + 1 }, (_, length) =>
  rowsOf(alone).filter(({ wire }) => wire.length === length),
);
const zones = rowsOf(withAllBelow);

/** The name is in `bytes` from `at` to `end`, including its root byte. Allocates nothing. */
export function specialName(bytes: Uint8Array, at: number, end: number): SpecialName | undefined {
  for (const { wire, name } of aloneByLength[end - at] ?? []) if (isName(bytes, at, end, wire)) return name;
  for (const { wire, name } of zones) if (isAtOrUnder(bytes, at, end, wire)) return name;
  return undefined;
}

const NONE: SpecialAnswer = { kind: 'none' };
const NO_DATA: SpecialAnswer = { kind: 'no data' };
const NXDOMAIN: SpecialAnswer = { kind: 'code', code: rcodes.NXDOMAIN };
const REFUSED: SpecialAnswer = { kind: 'code', code: rcodes.REFUSED };
const DESIGNATED: SpecialAnswer = { kind: 'designated resolvers' };
const LOOPBACK_V4: SpecialAnswer = { kind: 'address', data: Uint8Array.of(127, 0, 0, 1) };
const LOOPBACK_V6: SpecialAnswer = { kind: 'address', data: Uint8Array.from([...Array<number>(15).fill(0), 1]) };

const isForAddress = (type: number): boolean => type === types.A || type === types.AAAA;

/** These apply even if the profile does not filter. */
const answers: Readonly<Record<SpecialName, (type: number, settings: SpecialSettings) => SpecialAnswer>> = {
  'private relay': (_, { blockPrivateRelay }) => (blockPrivateRelay ? NXDOMAIN : NONE),
  'chrome prefetch': (type, { blockChromePrefetch }) => (blockChromePrefetch && isForAddress(type) ? NXDOMAIN : NONE),
  'firefox canary': (type, { blockFirefoxCanary }) => (blockFirefoxCanary && isForAddress(type) ? REFUSED : NONE),
  'designated resolvers': (type) => (type === types.SVCB ? DESIGNATED : NO_DATA),
  // Only this resolver can answer these names; they must not go upstream (RFC 9462, 6.4).
  'resolver zone': () => NO_DATA,
  // RFC 6761, 6.3.
  localhost: (type) => (type === types.A ? LOOPBACK_V4 : type === types.AAAA ? LOOPBACK_V6 : NO_DATA),
};

export const specialAnswer = (name: SpecialName, type: number, settings: SpecialSettings): SpecialAnswer =>
  answers[name](type, settings);
