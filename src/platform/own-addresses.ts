import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { parseIp } from '../kit/ip-address.ts';
import { isPrivateAddress } from '../kit/private-address.ts';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

// Interfaces of containers and virtual machines, which clients of the local network cannot reach.
const isVirtual = (name: string): boolean => /^(?:docker|br-|veth|virbr|lxc|lxd|cni|flannel|podman)/.test(name);

/** Addresses of this machine that clients of the local network can reach: private ones, IPv4 first. */
export function localNetworkAddresses(interfaces: Interfaces = networkInterfaces()): readonly string[] {
  const usable = Object.entries(interfaces)
    .filter(([name]) => !isVirtual(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ internal, address, scopeid = 0 }) => !internal && scopeid === 0 && isPrivate(address));
  const ofFamily = (family: string): string[] =>
    usable.filter((each) => each.family === family).map(({ address }) => address);
  return [...new Set([...ofFamily('IPv4'), ...ofFamily('IPv6')])];
}

/** The addresses at which other machines reach a listener. For a wildcard listener, those of the local network. */
export function reachableAddresses(host: string, local = localNetworkAddresses()): readonly string[] {
  if (host !== '::' && host !== '0.0.0.0') return [host];
  const usable = host === '::' ? local : local.filter((address) => !address.includes(':'));
  return usable.length > 0 ? usable : ['127.0.0.1'];
}

/** Loopback and private addresses, also IPv4-mapped ones. */
export function isPrivate(address: string): boolean {
  const ip = parseIp(address.split('%', 1)[0]!);
  return ip !== undefined && isPrivateAddress(Uint8Array.from(ip.bytes), 0, ip.bytes.length);
}
