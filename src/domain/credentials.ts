import type { AccountId, KeyId, UserId } from './ids.ts';

/** An API key. Only its hash is stored. */
export type ApiKey = {
  readonly id: KeyId;
  readonly account: AccountId;
  readonly user: UserId;
  readonly name: string;
  readonly hash: string;
  /** First characters, for recognition by the owner. */
  readonly hint: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
};

/** A session: the refresh token and its access tokens, revoked together. */
export type UserSession = {
  readonly id: string;
  readonly account: AccountId;
  readonly user: UserId;
  readonly refreshHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly rotates: boolean;
};

/** A refresh token that a rotation replaced. */
export type ReplacedRefreshToken = {
  readonly hash: string;
  readonly nextHash: string;
  /** Derives the next token together with the old one. */
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

/** Prefix of the ids of page sessions. */
export const PAGE_SESSION_PREFIX = 'page ';

/** Short, because browsers may be shared. */
export const PAGE_SESSION_SECONDS = 12 * 60 * 60;

/** As in the published API: about a month. */
export const ACCESS_TOKEN_SECONDS = 30 * 24 * 60 * 60;
