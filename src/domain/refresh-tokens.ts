import { DAY_MS } from '../kit/durations.ts';

/** A refresh token that was not used for this long is rejected. */
export const REFRESH_IDLE_MS = 90 * DAY_MS;

/** A client that lost the response may repeat the request for this long and gets the same new token. */
const REPEAT_MS = 30_000;

/** Replaced tokens per session that are stored to detect reuse. */
export const MAX_REPLACED = 32;

export const isIdle = (lastUsedAt: number, now: number): boolean => now - lastUsedAt >= REFRESH_IDLE_MS;

/** A replaced token was used again: a repeated request, or a stolen token. */
export const replacedTokenUse = (
  { replacedAt, isNextUnused }: { readonly replacedAt: number; readonly isNextUnused: boolean },
  now: number,
): 'repeat' | 'reuse' => (isNextUnused && now - replacedAt < REPEAT_MS ? 'repeat' : 'reuse');
