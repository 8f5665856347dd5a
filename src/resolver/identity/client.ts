import type { Client as RuleClient } from '../../engine/match/conditions.ts';
import type { Dns64Prefix } from '../local-names/dns64.ts';
import type { NameFilter } from '../local-names/name-filter.ts';
import type { Suffix } from '../pipeline/wire-suffix.ts';
import type { HasAccess } from '../policy/access.ts';
import type { Policy } from '../policy/policy.ts';
import type { UpstreamGroup } from '../upstream/upstream-group.ts';
import type { ActivityEntry } from './client-activity.ts';
import type { KnownDevice, KnownProfile } from './directory.ts';

/** A device, or a profile for unknown clients, with everything that a thread needs to answer its queries. */
export type Client = {
  readonly kind: 'known';
  /** Number of the client in query records. */
  readonly clientId: number;
  readonly identity: KnownDevice | KnownProfile;
  /** Returns the current policy, because policies are recompiled when lists change. */
  readonly policy: () => Policy;
  readonly hasAccess: HasAccess;
  readonly isProtected: boolean;
  /** End of the pause of the device; 0 without one. */
  readonly pausedUntil: number;
  /** False if the account has disabled the query log. */
  readonly isRecorded: boolean;
  /** Name and tags for `$client` and `$ctag`; the address is that of each query: see `ruleClientOf`. */
  readonly ruleClient: RuleClient;
  /** Owner of its cache entries, which prevents an account from filling the cache alone. */
  readonly accountSlot: number;
  readonly upstreamGroup: UpstreamGroup;
  /** Counter of its last query, which the next one usually uses, too. */
  activity: ActivityEntry | undefined;
  /** Names with records or forwarding rules of the account; undefined without any. */
  readonly localNames: NameFilter | undefined;
  /** Domains whose names may have private addresses, in wire format. */
  readonly privateDomains: readonly Suffix[];
  /** Undefined if DNS64 is off. */
  readonly dns64: Dns64Prefix | undefined;
};

/** Result of identifying a client without waiting. */
export type ClientResult =
  | Client
  | { readonly kind: 'needs lookup' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'drop' };

export const CLIENT_NEEDS_LOOKUP: ClientResult = { kind: 'needs lookup' };
export const UNKNOWN_CLIENT: ClientResult = { kind: 'unknown' };
export const DROPPED_CLIENT: ClientResult = { kind: 'drop' };
/** Not sent to UDP threads: updates are valid until an account changes, but a throttle only for a minute. */
export const THROTTLED_CLIENT: ClientResult = { kind: 'unknown' };
