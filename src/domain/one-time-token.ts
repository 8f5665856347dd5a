import type { AccountId } from './ids.ts';

/** Allows one action once before it expires, for example setup or the completion of a sign-in. */
export type OneTimeToken = {
  readonly kind: string;
  readonly hash: string;
  /** Any JSON value. */
  readonly content: unknown;
  readonly expiresAt: number;
};

/** Things that can be restored for a while after their removal. */
export const removedWhats = ['device', 'profile', 'custom list'] as const;
export type RemovedWhat = (typeof removedWhats)[number];

/** Kind of the tokens that restore them. Per account, so that they are deleted with it. */
export const removedKind = (what: RemovedWhat, account: AccountId): string => `removed ${what} of ${account}`;
