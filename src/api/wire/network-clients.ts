import Type, { type Static } from 'typebox';
import type { Device } from '../../domain/device.ts';
import {
  hostNameOf,
  hostNameSources,
  isPrivateMac,
  type NetworkClient as OwnClient,
  queriesOfDay,
} from '../../domain/network-client.ts';
import type { ClientCounts } from '../../domain/statistics.ts';
import { DeviceCreate } from './device.ts';
import { enumeration, int64, object } from './named.ts';

const text = Type.Optional(Type.String());

export const NetworkClient = object('NetworkClient', 'A client of a private network.', {
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'The name of the device, otherwise a host name.' })),
  name_source: Type.Optional(enumeration('NetworkClientNameSource', ['device', ...hostNameSources])),
  host_names: Type.Array(Type.String()),
  mac: text,
  is_private_mac: Type.Boolean({
    description: 'The MAC address was chosen by the client, which may use another one later.',
  }),
  vendor: Type.Optional(Type.String({ description: 'The vendor of the network interface, by its MAC address.' })),
  addresses: Type.Array(Type.String(), { description: 'The most recently used first.' }),
  first_seen_millis: int64(),
  last_seen_millis: int64(),
  queries: int64({ description: 'Since the client was first seen.' }),
  queries_last_day: int64({ description: 'In the last 24 hours.' }),
  device_id: Type.Optional(Type.String({ description: 'The device whose settings apply to the client.' })),
  dns_server_id: Type.Optional(Type.String({ description: 'The DNS server that answered last.' })),
});

export const NetworkClients = object('NetworkClients', 'Clients of private networks, the most recently seen first.', {
  discovery: enumeration('NetworkClientDiscovery', ['on', 'off', 'unavailable']),
  items: Type.Array(NetworkClient),
});

const NetworkClientStats = object('NetworkClientStats', 'Queries of a network client.', {
  client_id: Type.Optional(Type.String({ description: 'Missing if no network client has the address.' })),
  name: Type.Optional(Type.String({ description: 'The name of the network client.' })),
  addresses: Type.Array(Type.String(), { description: 'The addresses of these queries, the most frequent first.' }),
  queries: int64(),
  blocked: int64(),
  last_activity_time_millis: int64(),
});

export const NetworkClientStatsList = object('NetworkClientStatsList', 'Queries of network clients.', {
  stats: Type.Array(NetworkClientStats),
});

/** Adds up the addresses of each client. */
export function clientStatsToWire(
  counts: readonly ClientCounts[],
  clients: readonly Static<typeof NetworkClient>[],
): Static<typeof NetworkClientStatsList> {
  const clientOf = new Map(clients.flatMap((client) => client.addresses.map((address) => [address, client] as const)));
  const groups = Map.groupBy(counts, ({ address }) => clientOf.get(address) ?? address);
  const stats = Array.from(groups, ([client, rows]) => ({
    ...(typeof client === 'object' && {
      client_id: client.id,
      ...(client.name !== undefined && { name: client.name }),
    }),
    addresses: rows.map(({ address }) => address),
    queries: rows.reduce((sum, { queries }) => sum + queries, 0),
    blocked: rows.reduce((sum, { blocked }) => sum + blocked, 0),
    last_activity_time_millis: Math.max(...rows.map(({ lastActivity }) => lastActivity)),
  }));
  return { stats: stats.sort((one, other) => other.queries - one.queries) };
}

export const NetworkClientAdoption = object('NetworkClientAdoption', 'Makes a network client a device.', {
  ...DeviceCreate.properties,
  identify_by: enumeration('NetworkClientIdentifier', ['mac', 'address']),
});

export type ClientContext = {
  readonly now: number;
  readonly vendorOf: (mac: string) => string | undefined;
  readonly device: Device | undefined;
  /** Whether a DNS server still exists. */
  readonly isServer: (id: string) => boolean;
};

export function networkClientToWire(
  client: OwnClient,
  { now, vendorOf, device, isServer }: ClientContext,
): Static<typeof NetworkClient> {
  const { id, mac, names, addresses } = client;
  const host = hostNameOf(names);
  const named = device
    ? { name: device.name, name_source: 'device' as const }
    : host && { name: host.name, name_source: host.source };
  const isPrivate = mac !== undefined && isPrivateMac(mac);
  const vendor = mac === undefined || isPrivate ? undefined : vendorOf(mac);
  const server = device?.profile ?? client.profile;
  return {
    id,
    ...named,
    host_names: [...new Set(hostNameSources.flatMap((source) => names[source] ?? []))],
    ...(mac !== undefined && { mac }),
    is_private_mac: isPrivate,
    ...(vendor !== undefined && { vendor }),
    addresses: addresses.map(({ address }) => address),
    first_seen_millis: client.firstSeen,
    last_seen_millis: client.lastSeen,
    queries: client.queries,
    queries_last_day: queriesOfDay(client, now),
    ...(device && { device_id: device.id as string }),
    ...(server !== undefined && isServer(server) && { dns_server_id: server as string }),
  };
}
