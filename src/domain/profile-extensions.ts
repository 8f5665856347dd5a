import type { Switched } from './profile.ts';
import type { UpstreamStrategy } from './upstream-strategy.ts';

/** A rule with an expiry time. */
export type TemporaryRule = { readonly id: string; readonly rule: string; readonly endsAt: number };

/** Settings of a DNS server that are not part of the published API. */
export type ProfileExtensions = {
  /** Custom lists of the account. */
  readonly customLists: readonly Switched[];
  readonly temporaryRules: readonly TemporaryRule[];
  /** Custom upstreams; if empty, those of the operator are used. */
  readonly upstreams: readonly string[];
  /** For custom upstreams; undefined: the operator's. */
  readonly upstreamStrategy: UpstreamStrategy | undefined;
  /** Domains whose names may have private addresses. */
  readonly rebindingAllowed: readonly string[];
  /** Appended to names with one label, for local records and forwarded domains. */
  readonly searchDomains: readonly string[];
  /** NAT64 prefix for names without IPv6 addresses (RFC 6147); undefined if DNS64 is off. */
  readonly dns64: { readonly prefix: string } | undefined;
  /** Epoch milliseconds; queries are not filtered before then. */
  readonly pausedUntil: number | undefined;
};

export const noExtensions: ProfileExtensions = {
  customLists: [],
  temporaryRules: [],
  upstreams: [],
  upstreamStrategy: undefined,
  rebindingAllowed: [],
  searchDomains: [],
  dns64: undefined,
  pausedUntil: undefined,
};
