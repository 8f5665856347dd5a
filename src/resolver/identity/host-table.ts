import { parseMac } from '../../kit/mac-address.ts';
import { addressBytes, addressKey } from './address-key.ts';

/** A host of the local network, as network discovery reports it: one entry per address. */
export type KnownHost = {
  readonly address: string;
  readonly mac?: string | undefined;
  readonly names: readonly string[];
};

/** Properties of a client that are compared with the identifiers of devices. */
export type HostFacts = {
  readonly mac: string | undefined;
  readonly addresses: readonly Uint8Array[];
  /** Lower case, without a trailing dot; includes the first label of each name. */
  readonly names: readonly string[];
};

const NO_NAMES: readonly string[] = [];

/** MAC addresses and host names by address; replaced as a whole. */
export function createHostTable(hosts: readonly KnownHost[] = []) {
  const byAddress = new Map<string, HostFacts>();
  const byMac = new Map<string, HostFacts>();
  for (const { address, mac: macText, names: hostNames } of hosts) {
    const bytes = addressBytes(address);
    if (!bytes) continue;
    const mac = macText === undefined ? undefined : parseMac(macText);
    const names = namesOf(hostNames);
    byAddress.set(addressKey(bytes), { mac, addresses: [bytes], names });
    if (mac === undefined) continue;
    const same = byMac.get(mac);
    byMac.set(mac, {
      mac,
      addresses: [...(same?.addresses ?? []), bytes],
      names: [...new Set([...(same?.names ?? []), ...names])],
    });
  }
  return {
    /** Properties of the sender of a query. */
    ofAddress: (address: Uint8Array): HostFacts =>
      byAddress.get(addressKey(address)) ?? { mac: undefined, addresses: [address], names: NO_NAMES },
    /** Properties of a client behind a forwarder. */
    ofMac: (mac: string): HostFacts => byMac.get(mac) ?? { mac, addresses: [], names: NO_NAMES },
    addresses: (): readonly Uint8Array[] => Array.from(byAddress.values(), ({ addresses }) => addresses[0]!),
    macs: (): Iterable<string> => byMac.keys(),
  };
}

export type HostTable = ReturnType<typeof createHostTable>;

/** Full names and their first labels, so that the identifier `tv` matches `tv.lan` and `tv.local`. */
export function namesOf(names: readonly string[]): readonly string[] {
  const folded = names.map((name) => name.trim().toLowerCase().replace(/\.$/, '')).filter((name) => name !== '');
  return [...new Set(folded.flatMap((name) => [name, name.split('.', 1)[0]!]))].filter((name) => name !== '');
}
