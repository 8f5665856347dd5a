import type { FastifyRequest } from 'fastify';
import type { Route } from '../http/route.ts';
import type { RateLimiter } from './compile-limits.ts';
import { CORS, sendRefusal } from './response.ts';

/** Lets a client make so many requests and no more; says with each how many are left. */
export const rateGuard =
  (limiter: RateLimiter, clientOf: (request: FastifyRequest) => string): NonNullable<Route['guard']> =>
  async (request, reply) => {
    const { allowed, limit, remaining, resetMs } = await limiter.take(clientOf(request));
    reply.headers({
      'ratelimit-limit': limit,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': Math.ceil(resetMs / 1000),
    });
    if (allowed) return false;
    sendRefusal(reply.headers(CORS), {
      status: 429,
      error: `Rate limit exceeded. Maximum ${limit} requests per minute.`,
    });
    return true;
  };
