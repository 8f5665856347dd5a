import { DAY_MS } from '../kit/durations.ts';
import type { AccountId, DeviceId, ProfileId } from './ids.ts';

/** Sources of host names, the most reliable first. */
export const hostNameSources = ['lease', 'hosts', 'ptr', 'mdns'] as const;
export type HostNameSource = (typeof hostNameSources)[number];
export type HostNames = Readonly<Partial<Record<HostNameSource, readonly string[]>>>;

/** A client of a private network that this account has answered. Times are in milliseconds since the Unix epoch. */
export type NetworkClient = {
  readonly id: string;
  readonly account: AccountId;
  /** Undefined if the client is behind a router, or its address never appeared in the neighbour table. */
  readonly mac: string | undefined;
  /** The most recently used first; empty if a forwarder sends only the MAC address. */
  readonly addresses: readonly ClientAddress[];
  readonly names: HostNames;
  /** The DNS server that answered last. */
  readonly profile: ProfileId | undefined;
  /** The device whose settings were applied to the last query. */
  readonly device: DeviceId | undefined;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly queries: number;
  /** Queries per hour of the last day. */
  readonly hours: readonly HourCount[];
};

export type ClientAddress = { readonly address: string; readonly lastSeen: number };
export type HourCount = { readonly hour: number; readonly queries: number };

export const MAX_NETWORK_CLIENTS = 5000;
export const NETWORK_CLIENT_DAYS = 90;

/** The host name to show: the first of the most reliable source. */
export function hostNameOf(names: HostNames): { readonly name: string; readonly source: HostNameSource } | undefined {
  for (const source of hostNameSources) {
    const name = names[source]?.[0];
    if (name !== undefined) return { name, source };
  }
  return undefined;
}

/** Queries in the 24 hours before `now`, by whole hours. */
export const queriesOfDay = ({ hours }: Pick<NetworkClient, 'hours'>, now: number): number =>
  hours.filter(({ hour }) => now - hour < DAY_MS).reduce((sum, { queries }) => sum + queries, 0);

/** Whether the address is locally administered: chosen by the device, often different per network, and without a vendor. */
export const isPrivateMac = (mac: string): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 0x02) !== 0;
