import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import {
  type ClientAddress,
  type HostNameSource,
  type HostNames,
  type HourCount,
  hostNameSources,
  MAX_NETWORK_CLIENTS,
  type NetworkClient,
} from '../domain/network-client.ts';
import { DAY_MS, HOUR_MS } from '../kit/durations.ts';
import type { HostTable } from './host-table.ts';

/** Queries of one client since the last report. */
export type Sighting = {
  readonly address: string;
  /** MAC address sent by a forwarder (EDNS option 65001); the address is that of the forwarder. */
  readonly mac: string | undefined;
  readonly profile: ProfileId | undefined;
  readonly device: DeviceId | undefined;
  readonly lastSeen: number;
  readonly queries: number;
};

type Merge = {
  readonly account: AccountId;
  readonly clients: readonly NetworkClient[];
  readonly sightings: readonly Sighting[];
  readonly hosts: HostTable;
  readonly newId: () => string;
};

export type Merged = { readonly changed: readonly NetworkClient[]; readonly removed: readonly string[] };

const MAX_ADDRESSES = 16;
const ADDRESS_MS = 7 * DAY_MS;

/** Adds sightings to the clients of an account. All addresses with the same MAC address are one client. */
export function mergeClients({ account, clients, sightings, hosts, newId }: Merge): Merged {
  const index = clientIndex(clients);
  for (const sighting of sightings) {
    const mac = sighting.mac ?? hosts.of(sighting.address)?.mac;
    const addresses = addressesOf(sighting, hosts);
    const found = findClient(index, mac, addresses);
    // A sighting without queries only updates names, and does not recreate a deleted client.
    if (!found && sighting.queries === 0) continue;
    const before = found ?? newClient(newId(), account, sighting);
    index.put(withSighting({ ...before, mac: mac ?? before.mac }, sighting, addresses, namesOf(mac, addresses, hosts)));
  }
  return index.result();
}

/** Addresses of the client: those of the MAC address that a forwarder sends, otherwise that of the sender. */
export const addressesOf = ({ address, mac }: Sighting, hosts: HostTable): readonly string[] =>
  mac === undefined ? [address] : hosts.withMac(mac).map((host) => host.address);

type ClientIndex = ReturnType<typeof clientIndex>;

/** Finds the client with the MAC address. A client known only by its address gets the MAC address, or is merged into the other one. */
function findClient(index: ClientIndex, mac: string | undefined, addresses: readonly string[]) {
  const byAddress = addresses.map(index.byAddress).filter((client) => client !== undefined);
  if (mac === undefined) return byAddress[0];
  const nameless = byAddress.filter((client) => client.mac === undefined);
  const match = index.byMac(mac) ?? nameless[0];
  let merged = match;
  for (const other of nameless) {
    if (!merged || other.id === merged.id) continue;
    index.remove(other.id);
    merged = joined(merged, other);
  }
  return merged;
}

function joined(one: NetworkClient, other: NetworkClient): NetworkClient {
  const hours = other.hours.reduce((counts, { hour, queries }) => countHour(counts, hour, queries), one.hours);
  return {
    ...one,
    addresses: [...one.addresses, ...other.addresses],
    firstSeen: Math.min(one.firstSeen, other.firstSeen),
    lastSeen: Math.max(one.lastSeen, other.lastSeen),
    queries: one.queries + other.queries,
    hours,
  };
}

const newClient = (id: string, account: AccountId, { lastSeen }: Sighting): NetworkClient => ({
  id,
  account,
  mac: undefined,
  addresses: [],
  names: {},
  profile: undefined,
  device: undefined,
  firstSeen: lastSeen,
  lastSeen,
  queries: 0,
  hours: [],
});

function withSighting(
  client: NetworkClient,
  { mac, lastSeen, queries, profile, device }: Sighting,
  addresses: readonly string[],
  names: HostNames,
): NetworkClient {
  const newest = Math.max(client.lastSeen, lastSeen);
  const recent = recentAddresses(client.addresses, newest);
  // Behind a forwarder, the current address of the client is unknown: the host table may contain outdated ones.
  const used = mac === undefined || recent.length === 0 ? addresses : [];
  return {
    ...client,
    addresses: recentAddresses([...used.map((address) => ({ address, lastSeen })), ...recent], newest),
    // Names are kept if no source has one, for example after a restart.
    names: Object.keys(names).length > 0 ? names : client.names,
    profile: profile ?? client.profile,
    device,
    lastSeen: newest,
    queries: client.queries + queries,
    hours: countHour(client.hours, lastSeen, queries),
  };
}

function recentAddresses(addresses: readonly ClientAddress[], now: number): readonly ClientAddress[] {
  const newest = new Map<string, number>();
  for (const { address, lastSeen } of addresses) newest.set(address, Math.max(lastSeen, newest.get(address) ?? 0));
  return Array.from(newest, ([address, lastSeen]) => ({ address, lastSeen }))
    .filter(({ lastSeen }) => now - lastSeen < ADDRESS_MS)
    .sort((one, other) => other.lastSeen - one.lastSeen)
    .slice(0, MAX_ADDRESSES);
}

function countHour(hours: readonly HourCount[], at: number, queries: number): readonly HourCount[] {
  const hour = at - (at % HOUR_MS);
  const counts = new Map(hours.map((entry) => [entry.hour, entry.queries]));
  counts.set(hour, (counts.get(hour) ?? 0) + queries);
  const newest = Math.max(...counts.keys());
  return Array.from(counts, ([hour, queries]) => ({ hour, queries }))
    .filter((entry) => newest - entry.hour < DAY_MS)
    .sort((one, other) => one.hour - other.hour);
}

/** Names of all addresses of the host. */
function namesOf(mac: string | undefined, addresses: readonly string[], hosts: HostTable): HostNames {
  const related = [...addresses.map(hosts.of), ...(mac === undefined ? [] : hosts.withMac(mac))];
  const all = (source: HostNameSource): readonly string[] => [
    ...new Set(related.flatMap((host) => host?.names[source] ?? [])),
  ];
  return Object.fromEntries(
    hostNameSources.map((source) => [source, all(source)] as const).filter(([, names]) => names.length > 0),
  );
}

/** The clients by MAC address and address, with the changes made to them. */
function clientIndex(clients: readonly NetworkClient[]) {
  const all = new Map(clients.map((client) => [client.id, client]));
  const macs = new Map(clients.flatMap(({ mac, id }) => (mac === undefined ? [] : [[mac, id] as const])));
  const addresses = new Map(
    clients
      .flatMap(({ id, addresses }) => addresses.map((each) => ({ ...each, id })))
      .sort((one, other) => one.lastSeen - other.lastSeen)
      .map(({ address, id }) => [address, id]),
  );
  const changed = new Set<string>();
  const removed = new Set<string>();

  const remove = (id: string): void => {
    const client = all.get(id);
    if (client?.mac !== undefined) macs.delete(client.mac);
    for (const { address } of client?.addresses ?? []) if (addresses.get(address) === id) addresses.delete(address);
    all.delete(id);
    changed.delete(id);
    removed.add(id);
  };
  /** An address is assigned to the host that used it last. */
  const take = (address: string, id: string): void => {
    const owner = all.get(addresses.get(address) ?? '');
    addresses.set(address, id);
    if (!owner || owner.id === id) return;
    all.set(owner.id, { ...owner, addresses: owner.addresses.filter((entry) => entry.address !== address) });
    changed.add(owner.id);
  };
  return {
    byMac: (mac: string): NetworkClient | undefined => all.get(macs.get(mac) ?? ''),
    byAddress: (address: string): NetworkClient | undefined => all.get(addresses.get(address) ?? ''),
    remove,
    put(client: NetworkClient): void {
      all.set(client.id, client);
      if (client.mac !== undefined) macs.set(client.mac, client.id);
      for (const { address } of client.addresses) take(address, client.id);
      changed.add(client.id);
    },
    result(): Merged {
      const oldest = [...all.values()].sort((one, other) => one.lastSeen - other.lastSeen);
      for (const { id } of oldest.slice(0, Math.max(0, oldest.length - MAX_NETWORK_CLIENTS))) remove(id);
      return { changed: [...changed].map((id) => all.get(id)!), removed: [...removed] };
    },
  };
}
