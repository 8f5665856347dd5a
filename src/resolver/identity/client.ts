import type { Client } from '../../engine/match/conditions.ts';
import type { MayAsk } from '../policy/access.ts';
import type { Policy } from '../policy/policy.ts';
import type { Via } from '../upstream/upstream-group.ts';
import type { KnownDevice, KnownProfile } from './directory.ts';

/** How the queries of one device are answered: all that a thread needs at hand. */
export type Standing = {
  readonly kind: 'known';
  /** Its number in records. */
  readonly who: number;
  readonly known: KnownDevice | KnownProfile;
  /** As it is now: policies are made anew when lists change, and standings outlive that. */
  readonly policy: () => Policy;
  readonly mayAsk: MayAsk;
  readonly isProtected: boolean;
  /** Nothing of it is kept where its account wants no log. */
  readonly isRecorded: boolean;
  /** By what `$client` knows it. */
  readonly client: Client;
  /** Number of its account, so that nobody fills the cache alone. */
  readonly owner: number;
  readonly via: Via;
};

/** Who asks, as far as a thread can tell at once; `later` is for those who must be looked up or made first. */
export type Stands = Standing | { readonly kind: 'later' } | { readonly kind: 'stranger' } | { readonly kind: 'drop' };

export const LATER: Stands = { kind: 'later' };
export const STRANGER: Stands = { kind: 'stranger' };
export const DROP: Stands = { kind: 'drop' };
/** As unknown clients, but not for long: what a udp thread learned would hold until an account changes. */
export const THROTTLED_CLIENT: Stands = { kind: 'stranger' };
