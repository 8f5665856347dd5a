import type { HostNameSource, HostNames } from '../domain/network-client.ts';
import type { Lease } from './leases.ts';
import type { Neighbour } from './neighbours.ts';

/** An address of the local network with its MAC address and names. */
export type Host = { readonly address: string; readonly mac: string | undefined; readonly names: HostNames };

export type HostTable = {
  readonly all: () => readonly Host[];
  readonly of: (address: string) => Host | undefined;
  readonly withMac: (mac: string) => readonly Host[];
};

type AddressNames = { readonly address: string; readonly names: readonly string[] };
type HostFacts = {
  readonly neighbours: readonly Neighbour[];
  readonly leases: readonly Lease[];
  /** Entries of the hosts file. */
  readonly hosts: readonly AddressNames[];
  readonly ptr: readonly AddressNames[];
  readonly mdns: readonly AddressNames[];
};

// A host may have a few entries, because outdated ones remain in the neighbour table. More addresses belong to hosts behind a repeater or a
// router with proxy ARP, which answers for them with its own MAC address.
const MAX_IPV4_OF_HOST = 4;
const MAX_NAMES = 4;

/** Combines the sources by address. Leases have the real MAC address, even behind a repeater. */
export function hostTable({ neighbours, leases, ...named }: HostFacts): HostTable {
  const macs = new Map(identifying(neighbours).map(({ address, mac }) => [address, mac]));
  for (const { address, mac } of leases) if (mac !== undefined) macs.set(address, mac);
  const names = new Map<string, Partial<Record<HostNameSource, readonly string[]>>>();
  const add = (source: HostNameSource, { address, names: newNames }: AddressNames): void => {
    const ofAddress = names.get(address) ?? {};
    names.set(address, ofAddress);
    if (newNames.length > 0)
      ofAddress[source] = [...new Set([...(ofAddress[source] ?? []), ...newNames])].slice(0, MAX_NAMES);
  };
  for (const { address, name } of leases) if (name !== undefined) add('lease', { address, names: [name] });
  for (const source of ['hosts', 'ptr', 'mdns'] as const) for (const entry of named[source]) add(source, entry);

  const hosts = [...new Set([...macs.keys(), ...names.keys()])].map((address) => ({
    address,
    mac: macs.get(address),
    names: names.get(address) ?? {},
  }));
  const byAddress = new Map(hosts.map((host) => [host.address, host]));
  const byMac = Map.groupBy(hosts, ({ mac }) => mac);
  return { all: () => hosts, of: (address) => byAddress.get(address), withMac: (mac) => byMac.get(mac) ?? [] };
}

function identifying(neighbours: readonly Neighbour[]): readonly Neighbour[] {
  const ipv4 = new Map<string, Set<string>>();
  for (const { address, mac } of neighbours) {
    if (address.includes(':')) continue;
    const addresses = ipv4.get(mac) ?? new Set();
    ipv4.set(mac, addresses.add(address));
  }
  return neighbours.filter(({ mac }) => (ipv4.get(mac)?.size ?? 0) <= MAX_IPV4_OF_HOST);
}
