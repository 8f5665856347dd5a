import type { AccountId } from '../../domain/ids.ts';
import type { Directory, KnownDevice, KnownProfile } from './directory.ts';
import {
  byDedicatedAddress,
  byPresentedId,
  type ClientOptions,
  type DescribedClient,
  describedBy,
  factsOf,
  type IdentifyingParts,
  type IdentifySettings,
  matchingIdentifiers,
  profileForUnknown,
} from './identify.ts';
import { isPrivateClient } from './mac-option.ts';

/** A property that matched a client. */
type ClientMatch = { readonly kind: string; readonly value: string; readonly device: string | undefined };

/** Result as seen by one account: clients of other accounts count as unknown. */
export type IdentifiedClient = {
  readonly device: string | undefined;
  readonly dnsServer: string | undefined;
  /** The most specific property that matched; undefined if the client is not a client of the account. */
  readonly by: ClientMatch | undefined;
  /** Less specific properties that matched, in order of precedence. */
  readonly others: readonly ClientMatch[];
};

type Match = { readonly kind: string; readonly value: string; readonly identity: KnownDevice | KnownProfile };

/** Explains the identification of a client without an id. Uses the same functions as the identification of queries. */
export function explainClient(
  client: DescribedClient,
  account: AccountId,
  directory: Directory,
  settings: IdentifySettings,
): IdentifiedClient {
  const { address } = client;
  // As for queries, a MAC address is only trusted from a forwarder in a private network.
  const trusted = address && !isPrivateClient(address) ? { ...client, mac: undefined } : client;
  const identifiers: readonly Match[] = [...new Set(matchingIdentifiers(factsOf(trusted, directory), directory))];
  const forUnknown: Match | undefined = profileForUnknown(address, directory, settings);
  // Identifiers of a suspended account match, but the client is treated as unknown.
  const decisive = identifiers[0]?.identity.account.isSuspended === false ? identifiers[0] : forUnknown;
  const matches = [...identifiers, ...(forUnknown ? [forUnknown] : [])];
  const others = matches.filter((match) => match !== decisive && match.identity.account.id === account);
  if (decisive?.identity.account.id !== account)
    return { device: undefined, dnsServer: undefined, by: undefined, others: others.map(toMatch) };
  return {
    device: deviceOf(decisive),
    dnsServer: decisive.identity.profile.id,
    by: toMatch(decisive),
    others: others.map(toMatch),
  };
}

const deviceOf = ({ identity }: Match): string | undefined =>
  identity.kind === 'device' ? identity.device.id : undefined;

const toMatch = (match: Match): ClientMatch => ({ kind: match.kind, value: match.value, device: deviceOf(match) });

/** The property that identified the client of a query. */
export function identifiedBy(
  request: IdentifyingParts,
  options: ClientOptions,
  directory: Directory,
  settings: IdentifySettings,
): string {
  if (byPresentedId(request, options, directory, settings)) return 'device id';
  if (byDedicatedAddress(request, directory, settings)) return 'dedicated address';
  const facts = factsOf(describedBy(request, options), directory);
  const match =
    matchingIdentifiers(facts, directory).next().value ?? profileForUnknown(request.client, directory, settings);
  return match ? `${match.kind} ${match.value}` : 'none';
}
