import { formatIp, parseIp, unmapped } from '../kit/ip-address.ts';
import { formatNetwork, parseNetwork } from '../kit/ip-network.ts';
import { parseMac } from '../kit/mac-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type AssignableNetworks, isPrivateNetwork } from './client-networks.ts';
import { type DomainError, type FieldError, invalid } from './domain-error.ts';
import type { DeviceId } from './ids.ts';

export const identifierKinds = ['mac', 'address', 'network', 'host name'] as const;

/** A property by which the resolver recognises a device that presents no id. Values are in canonical form. */
export type ClientIdentifier = {
  readonly kind: (typeof identifierKinds)[number];
  /** Unique in the whole installation. A host name may have `*` for any run of characters. */
  readonly value: string;
};

export type DeviceIdentifier = ClientIdentifier & { readonly device: DeviceId };

const MAX_IDENTIFIERS = 32;
const MAX_NAME = 253;
const MIN_LITERALS = 2;

export const isPattern = (hostName: string): boolean => hostName.includes('*');

/** In canonical form and in the order of the request, or every error with its path. Identifiers that the device has already are always allowed. */
export function clientIdentifiers(
  requested: readonly ClientIdentifier[],
  before: readonly ClientIdentifier[],
  assignable: AssignableNetworks,
): Result<readonly ClientIdentifier[], DomainError> {
  if (requested.length > MAX_IDENTIFIERS)
    return err(invalid('identifiers', `must have at most ${MAX_IDENTIFIERS} entries`, 'limit reached'));
  const errors: FieldError[] = [];
  const valid = new Map<string, ClientIdentifier>();
  for (const [index, { kind, value: text }] of requested.entries()) {
    const wrong = (message: string): void => void errors.push(identifierError(index, message));
    const value = canonical[kind](text);
    if (!value.ok) wrong(value.error);
    else if (valid.has(value.value)) wrong(`${value.value} is in the list twice`);
    else valid.set(value.value, { kind, value: value.value });
  }
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  const existing = new Set(before.map(({ value }) => value));
  if (assignable === 'none' && [...valid.keys()].some((value) => !existing.has(value)))
    return err({ kind: 'forbidden', why: 'Only the operator of this installation may add identifiers' });
  return ok([...valid.values()]);
}

export const identifierError = (index: number, message: string): FieldError => ({
  field: `identifiers[${index}].value`,
  kind: 'wrong value',
  message,
});

const LOCAL = 'must be in a private network: link a public address to the device instead';

const canonical: Readonly<Record<ClientIdentifier['kind'], (text: string) => Result<string, string>>> = {
  mac(text) {
    const mac = parseMac(text);
    return mac === undefined ? err('must be a MAC address such as a0:b1:c2:d3:e4:f5') : ok(mac);
  },
  address(text) {
    const ip = parseIp(text.trim());
    if (!ip) return err('must be an IP address such as 192.168.1.20');
    const address = formatIp(unmapped(ip));
    return isPrivateNetwork(parseNetwork(address)!) ? ok(address) : err(LOCAL);
  },
  network(text) {
    const network = parseNetwork(text);
    if (!network) return err('must be a network such as 192.168.1.0/24 or fd00::/8');
    return isPrivateNetwork(network) ? ok(formatNetwork(network)) : err(LOCAL);
  },
  'host name': hostName,
};

function hostName(text: string): Result<string, string> {
  const name = text.trim().toLowerCase().replace(/\.$/, '');
  const isName = /^[a-z0-9_*-]+(?:\.[a-z0-9_*-]+)*$/.test(name) && name.length <= MAX_NAME;
  if (!isName || parseIp(name)) return err('must be a host name such as tablet, tablet.lan or iphone-*');
  if (isPattern(name) && name.replace(/[*.]/g, '').length < MIN_LITERALS)
    return err(`must have at least ${MIN_LITERALS} characters besides * and dots`);
  return ok(name);
}
