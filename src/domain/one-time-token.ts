/** Allows one action once before it expires, for example setup or the completion of a sign-in. */
export type OneTimeToken = {
  readonly kind: string;
  readonly hash: string;
  /** Any JSON value. */
  readonly content: unknown;
  readonly expiresAt: number;
};
