/** Allows its holder to do one thing once, until it expires: setting up, finishing a sign-in. */
export type OneTimeToken = {
  readonly kind: string;
  readonly hash: string;
  /** Any JSON value. */
  readonly content: unknown;
  readonly expiresAt: number;
};
