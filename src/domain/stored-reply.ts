import { DAY_MS } from '../kit/durations.ts';
import type { AccountId } from './ids.ts';

/** Time for which replies to requests with an idempotency key are stored. */
export const STORED_REPLY_MS = DAY_MS;
/** Per account; the oldest are dropped. */
export const MAX_STORED_REPLIES = 1000;
/** Longer replies are not stored. */
export const MAX_STORED_REPLY_LENGTH = 32 * 1024;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** The reply to a request with an idempotency key, stored in the transaction of its change. */
export type StoredReply = {
  /** Hash of the author and the key, so that members of an account cannot use the keys of each other. */
  readonly id: string;
  readonly account: AccountId;
  /** Hash of the request: the key must not be used for another one. */
  readonly request: string;
  /** JSON; empty for a reply without a body. `withheld`: it was not stored, because it is long or contains secrets. */
  readonly reply: { readonly kind: 'json'; readonly text: string } | { readonly kind: 'withheld' };
  readonly createdAt: number;
};
