import type { AccountId } from './ids.ts';

/** Allows one action once before it expires, for example setup or the completion of a sign-in. */
export type OneTimeToken = {
  readonly kind: string;
  readonly hash: string;
  /** Any JSON value. */
  readonly content: unknown;
  readonly expiresAt: number;
};

/** Kind of the tokens that restore a removed device. Per account, so that they are deleted with it. */
export const removedDeviceKind = (account: AccountId): string => `removed device of ${account}`;
