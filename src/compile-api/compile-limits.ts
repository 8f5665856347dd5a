import type { Decision } from '../kit/fixed-window.ts';

/**
 * Counts the requests of a client. One process counts by itself (kit/fixed-window.ts); several processes need one
 * counter between them, which is somewhere else and answers later.
 */
export type RateLimiter = {
  take(key: string): Decision | Promise<Decision>;
};
