import type { NetworkInterfaceInfo } from 'node:os';
import { contains, formatNetwork, parseNetwork } from '../kit/ip-network.ts';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** The interface to which an address is directly connected. */
export type LocalLink = { readonly name: string; readonly address: string };

export function linkOf(address: string, interfaces: Interfaces): LocalLink | undefined {
  const host = parseNetwork(address);
  if (!host) return undefined;
  for (const [name, addresses] of Object.entries(interfaces)) {
    for (const { cidr, address: interfaceAddress, internal } of addresses ?? []) {
      const network = cidr === null || internal ? undefined : parseNetwork(cidr);
      if (network && contains(network, host) && formatNetwork(host) !== formatNetwork(parseNetwork(interfaceAddress)!))
        return { name, address: interfaceAddress };
    }
  }
  return undefined;
}
