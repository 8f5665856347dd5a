import { Resolver } from 'node:dns/promises';
import { parseDdnsName } from '../domain/linked-address.ts';
import { publicEndpoints } from '../net/endpoint-policy.ts';
import type { AddressBehind } from '../operations/follow-names.ts';

const TIMEOUT_MS = 3_000;
const TRIES = 2;

type DdnsLookup = {
  /** Networks that are not public, but whose addresses may be linked. */
  readonly allowNetworks: readonly string[];
  /** Replaces the resolvers of the system. */
  readonly servers?: readonly string[];
};

/** Finds the first address of a name that may be linked, IPv4 before IPv6; undefined also after a timeout. */
export function ddnsLookup({ allowNetworks, servers }: DdnsLookup): AddressBehind {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  // No connection is opened, so any port that the policy allows can be used.
  const port = 53;
  const mayBeLinked = publicEndpoints({ ports: [port], allowNetworks });
  return async (text) => {
    const name = parseDdnsName(text);
    if (name === undefined) return undefined;
    for (const find of [() => resolver.resolve4(name), () => resolver.resolve6(name)]) {
      const addresses = await find().catch((): string[] => []);
      const allowed = addresses.find((address) => mayBeLinked({ host: name, address, port }));
      if (allowed !== undefined) return allowed;
    }
    return undefined;
  };
}
