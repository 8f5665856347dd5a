import type { AccountId, KeyId, UserId } from './ids.ts';

/** An API key. Only its hash is stored. */
export type ApiKey = {
  readonly id: KeyId;
  readonly account: AccountId;
  readonly user: UserId;
  readonly name: string;
  readonly hash: string;
  /** First characters, shown to identify the key. */
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
  /** `User-Agent` of the sign-in; undefined if it had none. */
  readonly userAgent: string | undefined;
  /** Client of the sign-in: an IPv4 address or the /64 of an IPv6 address. */
  readonly address: string | undefined;
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

/** Prefix of the ids of page sessions whose user chose to stay signed in. */
export const PERSISTENT_SESSION_PREFIX = 'persistent ';

/** Browsers delete cookies after 400 days. The session may end earlier, after some days without use. */
export const PERSISTENT_SESSION_SECONDS = 400 * 24 * 60 * 60;

/** Idle timeouts of page sessions. */
export type SessionLimits = {
  /** Idle timeout of page sessions; 0 disables it. */
  readonly sessionIdleMinutes: number;
  /** Days without use after which a persistent session ends; 0: users cannot stay signed in. */
  readonly sessionKeepDays: number;
};

/** Short, because browsers may be shared. */
export const PAGE_SESSION_SECONDS = 12 * 60 * 60;

/** As in the published API: about a month. */
export const ACCESS_TOKEN_SECONDS = 30 * 24 * 60 * 60;
