import type { Device } from './device.ts';
import type { ProfileSettings } from './profile.ts';

export const protectionStates = ['protected', 'partly', 'paused', 'off', 'unknown'] as const;
type ProtectionState = (typeof protectionStates)[number];

export const protectionReasons = [
  'device_off',
  'dns_server_off',
  'device_paused',
  'dns_server_paused',
  'nothing_enabled',
  'nothing_loaded',
  'lists_not_loaded',
  'parental_paused',
  'upstreams_down',
  'not_seen',
  'resolver_unavailable',
] as const;
type ReasonCode = (typeof protectionReasons)[number];

export type ProtectionReason = {
  readonly code: ReasonCode;
  /** Ids of lists, as in the query log. */
  readonly lists?: readonly string[];
  /** Ids of the DNS servers that it applies to; only in the state of an account, and only if others do not have it. */
  readonly servers?: readonly string[];
};

export type Protection = {
  readonly state: ProtectionState;
  /** Epoch milliseconds; only while it is paused. */
  readonly pausedUntil?: number;
  readonly reasons: readonly ProtectionReason[];
};

/** The tables and lists that the resolver has loaded for a DNS server. */
export type LoadedFilters = {
  /** Whether at least one table decides about its queries. */
  readonly isFiltering: boolean;
  /** Lists that are enabled and not loaded. */
  readonly missing: readonly string[];
  /** Whether the schedule of parental control is active. */
  readonly isParentalPaused: boolean;
  readonly areUpstreamsDown: boolean;
};

type ServerFacts = {
  readonly settings: Pick<ProfileSettings, 'protectionEnabled' | 'own'>;
  /** Undefined if the resolver does not know the DNS server or does not run here. */
  readonly loaded: LoadedFilters | undefined;
  readonly now: number;
};

/** The state of the clients of a DNS server. Switches and pauses precede the state of the lists. */
export function serverProtection({ settings, loaded, now }: ServerFacts): Protection {
  if (!settings.protectionEnabled) return { state: 'off', reasons: [{ code: 'dns_server_off' }] };
  const { pausedUntil = 0 } = settings.own;
  if (now < pausedUntil) return { state: 'paused', pausedUntil, reasons: [{ code: 'dns_server_paused' }] };
  if (!loaded) return { state: 'unknown', reasons: [{ code: 'resolver_unavailable' }] };
  const { isFiltering, missing, isParentalPaused, areUpstreamsDown } = loaded;
  if (!isFiltering && missing.length === 0) return { state: 'off', reasons: [{ code: 'nothing_enabled' }] };
  if (!isFiltering) return { state: 'off', reasons: [{ code: 'nothing_loaded', lists: missing }] };
  const reasons: ProtectionReason[] = [
    ...(missing.length > 0 ? [{ code: 'lists_not_loaded' as const, lists: missing }] : []),
    ...(isParentalPaused ? [{ code: 'parental_paused' as const }] : []),
    ...(areUpstreamsDown ? [{ code: 'upstreams_down' as const }] : []),
  ];
  return { state: reasons.length > 0 ? 'partly' : 'protected', reasons };
}

type DeviceFacts = {
  readonly device: Pick<Device, 'protectionEnabled' | 'pausedUntil'>;
  readonly server: Protection;
  /** Whether a query of the device was logged; undefined if its queries are not logged. */
  readonly isSeen: boolean | undefined;
  readonly now: number;
};

/** The state of a device, from the state of its DNS server. */
export function deviceProtection({ device, server, isSeen, now }: DeviceFacts): Protection {
  if (!device.protectionEnabled)
    return { state: 'off', reasons: [{ code: 'device_off' }, ...(server.state === 'off' ? server.reasons : [])] };
  if (server.state === 'off') return server;
  const { pausedUntil = 0 } = device;
  if (now < pausedUntil)
    return {
      state: 'paused',
      pausedUntil: Math.max(pausedUntil, server.pausedUntil ?? 0),
      reasons: [{ code: 'device_paused' }, ...(server.state === 'paused' ? server.reasons : [])],
    };
  if (server.state === 'paused' || server.state === 'unknown') return server;
  if (isSeen === false) return { state: 'unknown', reasons: [{ code: 'not_seen' }, ...server.reasons] };
  return server;
}

/** The common state of all DNS servers (by id), or `partly` if they differ. */
export function accountProtection(servers: ReadonlyMap<string, Protection>): Protection {
  const [first, ...others] = servers.values();
  if (!first) return { state: 'unknown', reasons: [{ code: 'resolver_unavailable' }] };
  const isCommon = others.every(({ state }) => state === first.state);
  const ends = [first, ...others].flatMap(({ pausedUntil }) => pausedUntil ?? []);
  return {
    state: isCommon ? first.state : 'partly',
    // The first to end: after it the state differs.
    ...(isCommon && ends.length > 0 && { pausedUntil: Math.min(...ends) }),
    reasons: merged(servers),
  };
}

function merged(servers: ReadonlyMap<string, Protection>): ProtectionReason[] {
  const all = [...servers].flatMap(([server, { reasons }]) => reasons.map((reason) => ({ server, ...reason })));
  return [...Map.groupBy(all, ({ code }) => code)].map(([code, same]) => {
    const lists = [...new Set(same.flatMap((reason) => reason.lists ?? []))];
    return {
      code,
      ...(lists.length > 0 && { lists }),
      ...(same.length < servers.size && { servers: same.map(({ server }) => server) }),
    };
  });
}
