import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import { HOUR_MS } from '../kit/durations.ts';
import { isPrivate } from '../platform/own-addresses.ts';
import type { HostTable } from './host-table.ts';
import { addressesOf, type Sighting } from './merge-clients.ts';

/** Queries of one client since the last report of the resolver. */
export type Activity = {
  readonly account: string;
  readonly dnsServer: string;
  readonly device?: string | undefined;
  readonly address: string;
  readonly mac?: string | undefined;
  readonly queries: number;
  readonly lastSeen: number;
};

export type RecentClient = { readonly account: AccountId; readonly profile: ProfileId | undefined };

type Seen = { readonly account: AccountId; readonly sighting: Sighting };

const MAX_SIGHTINGS = 20_000;
const RECENT_MS = HOUR_MS;

/** Sightings that are not written yet, and the clients of the last hour, whose names are looked up. */
export function createSightings(now: () => number) {
  let pending = new Map<string, Seen>();
  const recent = new Map<string, Seen>();

  const add = (seen: Seen): void => {
    const key = keyOf(seen);
    const before = pending.get(key)?.sighting;
    if (!before && pending.size >= MAX_SIGHTINGS) return;
    pending.set(key, before ? { ...seen, sighting: sum(before, seen.sighting) } : seen);
  };

  return {
    add(activity: readonly Activity[], hosts: HostTable): void {
      for (const entry of activity) {
        // Addresses with a MAC address are on the same link, even public IPv6 addresses.
        if (entry.mac === undefined && !isPrivate(entry.address) && hosts.of(entry.address)?.mac === undefined)
          continue;
        const seen = { account: entry.account as AccountId, sighting: toSighting(entry) };
        add(seen);
        const key = keyOf(seen);
        recent.delete(key);
        recent.set(key, { ...seen, sighting: { ...seen.sighting, queries: 0 } });
      }
      for (const [key, { sighting }] of recent) {
        if (recent.size <= MAX_SIGHTINGS && now() - sighting.lastSeen < RECENT_MS) break;
        recent.delete(key);
      }
    },
    /** Adds back sightings that could not be written. */
    restore(account: AccountId, sightings: readonly Sighting[]): void {
      for (const sighting of sightings) add({ account, sighting });
    },
    /** Makes the next write update the names of recent clients with these addresses. */
    touch(addresses: ReadonlySet<string>, hosts: HostTable): void {
      for (const seen of recent.values())
        if (addressesOf(seen.sighting, hosts).some((address) => addresses.has(address))) add(seen);
    },
    /** Clients by address; if several have the same address, the most recently seen. */
    recentClients: (hosts: HostTable): ReadonlyMap<string, RecentClient> =>
      new Map(
        [...recent.values()].flatMap(({ account, sighting }) =>
          addressesOf(sighting, hosts).map((address) => [address, { account, profile: sighting.profile }] as const),
        ),
      ),
    take(): ReadonlyMap<AccountId, readonly Sighting[]> {
      const taken = Map.groupBy(pending.values(), ({ account }) => account);
      pending = new Map();
      return new Map(Array.from(taken, ([account, seen]) => [account, seen.map(({ sighting }) => sighting)]));
    },
  };
}

const keyOf = ({ account, sighting: { mac, address } }: Seen): string => `${account} ${mac ?? address}`;

const toSighting = ({ address, mac, dnsServer, device, queries, lastSeen }: Activity): Sighting => ({
  address,
  mac,
  profile: dnsServer as ProfileId,
  device: device as DeviceId | undefined,
  queries,
  lastSeen,
});

function sum(one: Sighting, other: Sighting): Sighting {
  const newer = other.lastSeen >= one.lastSeen ? other : one;
  return { ...newer, queries: one.queries + other.queries };
}
