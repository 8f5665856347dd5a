import type { Switched } from './profile.ts';

/** For a while only: a rule beside the user's own. */
export type TemporaryRule = { readonly id: string; readonly rule: string; readonly endsAt: number };

/** Settings of a DNS server that the published interface has no members for. */
export type OwnSettings = {
  /** Lists of the account. */
  readonly customLists: readonly Switched[];
  readonly temporaryRules: readonly TemporaryRule[];
  /** Asked in place of the operator's; where there are none, those are. */
  readonly upstreams: readonly string[];
};

export const noExtensions: OwnSettings = { customLists: [], temporaryRules: [], upstreams: [] };
