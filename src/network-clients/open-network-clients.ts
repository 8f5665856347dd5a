import type { AccountId } from '../domain/ids.ts';
import type { NetworkClient } from '../domain/network-client.ts';
import { isLoopback } from '../kit/private-address.ts';
import { singleFlight } from '../kit/single-flight.ts';
import { isPrivate } from '../platform/own-addresses.ts';
import type { HostSources } from './host-sources.ts';
import { type Host, hostTable } from './host-table.ts';
import { type ForwardRule, lookUpMdns, lookUpPtr, serverFor } from './lookup-names.ts';
import { type Merged, mergeClients } from './merge-clients.ts';
import { nameCache } from './name-cache.ts';
import { type Activity, createSightings, type RecentClient } from './sightings.ts';

type KnownHost = { readonly address: string; readonly mac: string | undefined; readonly names: readonly string[] };

export type NetworkClientsDeps = {
  /** If false, clients are not recorded and no names are looked up. */
  readonly discovery: 'on' | 'off';
  /** The queries of clients in private networks since the last call. */
  readonly activity: () => Promise<readonly Activity[]>;
  /** Tells the resolver the MAC addresses and names of hosts. */
  readonly setHosts: (hosts: readonly KnownHost[]) => Promise<void>;
  readonly sources: HostSources;
  /** Rules for the queries of a client, by precedence; domains may occur more than once. */
  readonly rulesFor: (client: RecentClient) => Promise<readonly (readonly ForwardRule[])[]>;
  /** Changes the clients of an account in one transaction. */
  readonly update: (account: AccountId, decide: (clients: readonly NetworkClient[]) => Merged) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onProblem: (problem: string, error: unknown) => void;
};

const ROUND_MS = 10_000;
const WRITE_MS = 60_000;
const MIN_INTERVAL_MS = 1000;

/** Discovers the clients of private networks: reads the sources every ten seconds, and writes every minute. */
export function openNetworkClients(deps: NetworkClientsDeps) {
  const { sources, now, onProblem } = deps;
  const sightings = createSightings(now);
  let hosts = hostTable({ neighbours: [], leases: [], hosts: [], ptr: [], mdns: [] });
  let gateway: string | undefined;
  let recent: ReadonlyMap<string, RecentClient> = new Map();
  let sentHosts: string | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  const names = nameCache({
    lookUpPtr: async (address) => {
      const client = recent.get(address);
      const server = serverFor(address, client ? await deps.rulesFor(client) : [], gateway);
      return server ? lookUpPtr(address, server) : [];
    },
    lookUpMdns: (address) =>
      lookUpMdns(address, (sender) => {
        const mac = hosts.of(address)?.mac;
        return sender === address || (mac !== undefined && hosts.of(sender)?.mac === mac);
      }),
    now,
  });

  const readHosts = async (): Promise<void> => {
    const [neighbours, leases, entries, route] = await Promise.all([
      sources.neighbours(),
      sources.leases(),
      sources.hosts(),
      sources.gateway(),
    ]);
    gateway = route !== undefined && isPrivate(route) ? route : undefined;
    hosts = hostTable({ neighbours, leases, hosts: entries, ptr: names.names('ptr'), mdns: names.names('mdns') });
    const knownHosts = hosts.all().map(toKnownHost);
    const text = JSON.stringify(knownHosts);
    if (text === sentHosts) return;
    await deps.setHosts(knownHosts);
    sentHosts = text;
  };

  const collect = async (): Promise<void> => {
    const activity = await deps.activity();
    if (deps.discovery === 'on') sightings.add(activity, hosts);
  };

  const write = async (): Promise<void> => {
    for (const [account, seen] of sightings.take()) {
      try {
        await deps.update(account, (clients) =>
          mergeClients({ account, clients, sightings: seen, hosts, newId: deps.newId }),
        );
      } catch (error) {
        sightings.restore(account, seen);
        onProblem('failed to store network clients', error);
      }
    }
  };

  const lookUp = async (): Promise<void> => {
    recent = sightings.recentClients(hosts);
    const addresses = [...recent.keys()].filter((address) => !isLoopback(address));
    const isNamed = (address: string): boolean => Object.keys(hosts.of(address)?.names ?? {}).length > 0;
    const done = await names.refresh(addresses, isNamed);
    if (done.size === 0) return;
    await readHosts();
    sightings.touch(done, hosts);
  };

  const looks = singleFlight<void>();
  const look = (): Promise<void> =>
    looks.run(async () => {
      await readHosts();
      await collect();
    });
  const lookups = singleFlight<void>();
  const writes = singleFlight<void>();
  const report = (error: unknown): void => onProblem('discovery of network clients failed', error);

  const round = (): void =>
    void look()
      .then(() => lookups.run(lookUp))
      .catch(report);
  const rounds = setInterval(round, ROUND_MS).unref();
  const writing = setInterval(() => void writes.run(write), WRITE_MS).unref();
  round();

  return {
    /** Stores the clients up to now; at most once a second. */
    refresh: async (): Promise<void> => {
      if (now() - refreshedAt < MIN_INTERVAL_MS) return;
      refreshedAt = now();
      await look();
      await writes.run(write);
      // Looks names up in the background; new clients have their names in the next list.
      void lookups.run(lookUp).catch(report);
    },
    stop: async (): Promise<void> => {
      clearInterval(rounds);
      clearInterval(writing);
      await collect().catch(report);
      await writes.running();
      await writes.run(write);
    },
  };
}

const toKnownHost = ({ address, mac, names }: Host): KnownHost => ({
  address,
  mac,
  names: [...new Set(Object.values(names).flat())],
});
