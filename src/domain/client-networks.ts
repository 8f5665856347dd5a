import { contains, formatNetwork, type IpNetwork, parseNetwork } from '../kit/ip-network.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type DomainError, type FieldError, invalid } from './domain-error.ts';
import type { ProfileId } from './ids.ts';

/** Clients in this network that match no device use this DNS server. */
export type ClientNetwork = { readonly network: string; readonly profile: ProfileId };

/** Loopback, RFC 1918, link-local and unique local networks. */
export const privateNetworks: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** The networks that an account may assign. Public ones apply to clients on the internet. */
export type AssignableNetworks = 'none' | 'private' | 'any';

const MAX_NETWORKS = 64;
// Shorter prefixes are rejected: the setting `unknown-clients` covers the whole internet.
const MIN_PUBLIC_PREFIX = { V4: 8, V6: 16 } as const;
const parsedPrivate = privateNetworks.map((text) => parseNetwork(text)!);

export type RequestedNetwork = { readonly network: string; readonly profile: string };

/** The networks of an account, in canonical form and sorted, or every error with its path. */
export function clientNetworks(
  requested: readonly RequestedNetwork[],
  profiles: readonly ProfileId[],
  assignable: AssignableNetworks,
): Result<readonly ClientNetwork[], DomainError> {
  if (requested.length > 0 && assignable === 'none')
    return err({ kind: 'forbidden', why: 'Only the operator of this installation may assign networks' });
  if (requested.length > MAX_NETWORKS)
    return err(invalid('networks', `must have at most ${MAX_NETWORKS} entries`, 'limit reached'));
  const errors: FieldError[] = [];
  const valid = new Map<string, ClientNetwork>();
  for (const [index, { network: text, profile }] of requested.entries()) {
    const wrong = (field: string, message: string): void =>
      void errors.push({ field: `networks[${index}].${field}`, kind: 'wrong value', message });
    const network = parseNetwork(text);
    const problem = network ? problemOf(network, assignable) : 'must be a network such as 192.168.1.0/24 or fd00::/8';
    if (problem !== undefined) wrong('network', problem);
    const existingProfile = profiles.find((id) => id === profile);
    if (existingProfile === undefined) wrong('dns_server_id', 'must be the id of a DNS server of this account');
    if (!network || problem !== undefined || existingProfile === undefined) continue;
    const name = formatNetwork(network);
    if (valid.has(name)) wrong('network', `${name} is in the list twice`);
    valid.set(name, { network: name, profile: existingProfile });
  }
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  return ok([...valid.values()].sort((a, b) => (a.network < b.network ? -1 : 1)));
}

/** Whether all addresses of the network are private. */
export const isPrivateNetwork = (network: IpNetwork): boolean =>
  parsedPrivate.some((outer) => contains(outer, network));

function problemOf(network: IpNetwork, assignable: AssignableNetworks): string | undefined {
  if (isPrivateNetwork(network)) return undefined;
  if (assignable !== 'any') return 'must be a private network (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7, …)';
  const shortest = MIN_PUBLIC_PREFIX[network.family];
  return network.prefix < shortest
    ? `must have a prefix of at least /${shortest}: to answer all clients, use the setting unknown-clients`
    : undefined;
}
