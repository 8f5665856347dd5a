import { DAY_MS } from '../kit/durations.ts';

export const alertCodes = [
  'list_failed',
  'list_held_back',
  'list_stale',
  'upstream_down',
  'certificate_expires',
  'certificate_expired',
  'new_device',
  'new_network_client',
] as const;

/** A problem or an event that needs the attention of a member. */
export type Alert = {
  readonly code: (typeof alertCodes)[number];
  /** Id of the list, device or client, address of the upstream, or domain of the certificate. */
  readonly subject: string;
  /** Since when, or of an expiry until when; epoch milliseconds. */
  readonly at: number;
};

type ListFacts = {
  readonly id: string;
  readonly isBuiltIn: boolean;
  readonly fetchedAt: number | undefined;
  readonly checkedAt: number | undefined;
  readonly problem: { readonly since: number } | undefined;
  readonly isHeldBack: boolean;
};

type Facts = {
  /** Lists that the account uses. */
  readonly lists: readonly ListFacts[];
  /** Undefined for members without access to the state of the installation. */
  readonly installation:
    | {
        readonly upstreams: readonly { readonly upstream: string; readonly state: 'in' | 'out' }[];
        readonly certificates: readonly {
          readonly domains: readonly string[];
          readonly expiresAt: number;
          readonly isSelfSigned: boolean;
        }[];
      }
    | undefined;
  readonly devices: readonly { readonly id: string; readonly createdAt: number }[];
  readonly networkClients: readonly { readonly id: string; readonly firstSeen: number }[];
  readonly now: number;
};

const STALE_MS = 7 * DAY_MS;
const EXPIRY_MS = 14 * DAY_MS;
const NEW_MS = DAY_MS;
/** More new devices than this indicate an initial set-up and are not reported. */
const MAX_NEW = 5;

/** Sorts problems first, then new devices and clients, newest first. */
export function alertsOf({ lists, installation, devices, networkClients, now }: Facts): readonly Alert[] {
  const isNew = (at: number): boolean => now - at < NEW_MS;
  return [
    ...(installation?.upstreams ?? [])
      .filter(({ state }) => state === 'out')
      .map(({ upstream }): Alert => ({ code: 'upstream_down', subject: upstream, at: now })),
    ...(installation?.certificates ?? []).flatMap(({ domains, expiresAt, isSelfSigned }): Alert[] => {
      // Self-signed certificates are not reported, because devices do not trust them anyway.
      if (isSelfSigned || expiresAt - now > EXPIRY_MS) return [];
      const code = expiresAt <= now ? 'certificate_expired' : 'certificate_expires';
      return [{ code, subject: domains[0] ?? '', at: expiresAt }];
    }),
    ...lists.flatMap((list) => listAlert(list, now)),
    ...newest(
      'new_device',
      devices.map(({ id, createdAt: at }) => ({ subject: id, at })).filter(({ at }) => isNew(at)),
    ),
    ...newest(
      'new_network_client',
      networkClients.map(({ id, firstSeen: at }) => ({ subject: id, at })).filter(({ at }) => isNew(at)),
    ),
  ];
}

function listAlert({ id, isBuiltIn, fetchedAt, checkedAt, problem, isHeldBack }: ListFacts, now: number): Alert[] {
  if (isHeldBack) return [{ code: 'list_held_back', subject: id, at: problem?.since ?? now }];
  if (problem) return [{ code: 'list_failed', subject: id, at: problem.since }];
  const checked = checkedAt ?? fetchedAt;
  // Built-in lists have no source to check.
  if (!isBuiltIn && checked !== undefined && now - checked > STALE_MS)
    return [{ code: 'list_stale', subject: id, at: checked }];
  return [];
}

const newest = (code: Alert['code'], found: readonly Omit<Alert, 'code'>[]): Alert[] =>
  found
    .toSorted((one, other) => other.at - one.at)
    .slice(0, MAX_NEW)
    .map((each) => ({ code, ...each }));
