import { isAddressPattern } from '../../rules/address-pattern.ts';
import { matchPattern } from '../../rules/matches-pattern.ts';
import type { ClientLimit, ClientMatch, NameLimit, Rule } from '../../rules/rule.ts';

/** The querying client. A rule that needs a missing property does not apply. */
export type Client = {
  readonly name?: string | undefined;
  /** 4 or 16 bytes. */
  readonly address?: Uint8Array | undefined;
  readonly tags?: readonly string[] | undefined;
};

/** GeoIP data of the addresses of an answer. */
export type AnswerLocation = {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** Autonomous system number. */
  readonly network?: number | undefined;
};

/** Target of the decision: a queried name, or a name or address in an answer. */
export type Subject = 'query' | 'name' | 'address';

/** The values that modifiers are compared with, for one query or one part of an answer. */
export type Conditions = {
  readonly subject: Subject;
  readonly type: number;
  readonly client: Client | undefined;
  /** Undefined unless the location of an answer is decided: without it, `$respgeo` rules do not apply. */
  readonly location: AnswerLocation | undefined;
};

export type Obstacle = 'pattern' | '$dnsrewrite' | '$dnstype' | '$client' | '$ctag' | '$denyallow' | '$respgeo';

/**
 * Why a rule does not apply although its pattern matches; undefined if it applies. Answers are not rewritten, and only
 * patterns for addresses apply to addresses.
 */
export function whyNotApplied(
  rule: Rule,
  { subject, type, client, location }: Conditions,
  name: () => string,
): Obstacle | undefined {
  if (subject !== 'query' && rule.rewrite) return '$dnsrewrite';
  if (subject === 'address' && !isAddressPattern(rule.pattern)) return 'pattern';
  if ((rule.locations === undefined) !== (location === undefined)) return '$respgeo';
  if (rule.locations && location && !isIn(rule.locations, locationNames(location))) return '$respgeo';
  if (rule.types && rule.types.types.has(type) === rule.types.negated) return '$dnstype';
  if (rule.clients && !isAmong(rule.clients, client)) return '$client';
  if (rule.tags && !isIn(rule.tags, client?.tags ?? [])) return '$ctag';
  if (rule.denyallow?.some((spared) => isAtOrBelow(name(), spared))) return '$denyallow';
  return undefined;
}

const isIn = ({ only, except }: NameLimit, names: readonly string[]): boolean =>
  (only.size === 0 || names.some((name) => only.has(name))) && !names.some((name) => except.has(name));

const locationNames = ({ country, network }: AnswerLocation): readonly string[] => [
  ...(country === undefined ? [] : [country.toUpperCase()]),
  ...(network === undefined ? [] : [`AS${network}`]),
];

const isAmong = ({ only, except }: ClientLimit, client: Client | undefined): boolean =>
  (only.length === 0 || only.some((match) => isClient(match, client))) &&
  !except.some((match) => isClient(match, client));

function isClient(match: ClientMatch, client: Client | undefined): boolean {
  if (match.kind === 'name') return client?.name !== undefined && folded(client.name) === folded(match.name);
  return client?.address !== undefined && isInNetwork(client.address, match.address, match.prefixLength);
}

/** Device names are any text; only ASCII letters are case-insensitive. */
const folded = (name: string): string => name.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

function isInNetwork(address: Uint8Array, network: Uint8Array, prefixLength: number): boolean {
  if (address.length !== network.length) return false;
  const wholeBytes = prefixLength >> 3;
  for (let byte = 0; byte < wholeBytes; byte++) if (address[byte] !== network[byte]) return false;
  const rest = 8 - (prefixLength & 7);
  return address[wholeBytes]! >> rest === network[wholeBytes]! >> rest;
}

const isAtOrBelow = (name: string, above: string): boolean => matchPattern({ kind: 'domain', name: above })(name);
