import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../http/route.ts';
import type { Decision } from '../kit/fixed-window.ts';
import type { Caller } from './compilations.ts';
import { CORS, sendErrorResponse } from './response.ts';

/**
 * Counts the requests of a client. One process counts in memory (kit/fixed-window.ts); several processes share a
 * counter, which answers asynchronously.
 */
export type RateLimiter = {
  take(key: string): Decision | Promise<Decision>;
};

export type MayCompile = (request: FastifyRequest) => Promise<boolean> | boolean;

type Guard = NonNullable<Route['guard']>;

const errorResponse = {
  status: 403,
  error:
    'Your address may not compile without credentials. Send an API key in the Authorization header, sign in, or ask the operator to add your network to compile-clients',
};

/** Refuses clients without access; only requests of the others count towards the limit of `next`. */
export const accessGuard =
  (mayCompile: MayCompile, next: Guard): Guard =>
  async (request, reply) => {
    if (await mayCompile(request)) return next(request, reply);
    sendErrorResponse(reply.headers(CORS), errorResponse);
    return true;
  };

/** Limits the requests of a client and reports the remaining ones in the headers. */
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
    sendErrorResponse(reply.headers(CORS), {
      status: 429,
      error: `Rate limit exceeded. Maximum ${limit} requests per minute.`,
    });
    return true;
  };

/** The caller of a request; `gone` is aborted when the connection closes before the response is complete. */
export function callerOf(request: FastifyRequest, reply: FastifyReply, client: string): Caller {
  const gone = new AbortController();
  const { raw } = reply;
  const onClose = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  raw.once('close', onClose);
  if (request.raw.destroyed && !request.raw.complete) gone.abort();
  return { client, gone: gone.signal };
}
