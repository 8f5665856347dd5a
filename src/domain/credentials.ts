import type { AccountId, KeyId, UserId } from './ids.ts';

/** A key for programs; shown once, kept as a hash. */
export type ApiKey = {
  readonly id: KeyId;
  readonly account: AccountId;
  readonly user: UserId;
  readonly name: string;
  readonly hash: string;
  /** Its first characters, by which its owner tells it from others. */
  readonly hint: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
};

/** A signing-in: the refresh token and the access tokens made with it; revoked together. */
export type UserSession = {
  readonly id: string;
  readonly account: AccountId;
  readonly user: UserId;
  readonly refreshHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Every use of the refresh token replaces it. */
  readonly rotates: boolean;
};

/** A refresh token that a rotation replaced. */
export type ReplacedRefreshToken = {
  readonly hash: string;
  readonly nextHash: string;
  /** With the old token it gives the next one. */
  readonly seed: string;
  readonly replacedAt: number;
};

export type AccessToken = {
  readonly hash: string;
  readonly session: string;
  readonly account: AccountId;
  readonly user: UserId;
  readonly expiresAt: number;
};

/** How the ids of sign-ins begin whose token our own page keeps. */
export const PAGE_SESSION_PREFIX = 'page ';

/** Of a browser: somebody else may sit in front of it tomorrow. */
export const PAGE_SESSION_SECONDS = 12 * 60 * 60;

/** As in the published interface: about a month. */
export const ACCESS_TOKEN_SECONDS = 30 * 24 * 60 * 60;
