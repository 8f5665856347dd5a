import type { Switched } from './profile.ts';

/** A rule with an expiry time. */
export type TemporaryRule = { readonly id: string; readonly rule: string; readonly endsAt: number };

/** Settings of a DNS server that are not part of the published API. */
export type OwnSettings = {
  /** Custom lists of the account. */
  readonly customLists: readonly Switched[];
  readonly temporaryRules: readonly TemporaryRule[];
  /** Custom upstreams; if empty, those of the operator are used. */
  readonly upstreams: readonly string[];
};

export const noExtensions: OwnSettings = { customLists: [], temporaryRules: [], upstreams: [] };
