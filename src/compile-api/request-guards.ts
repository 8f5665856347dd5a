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

/** Rejects clients without access, before they are counted by `next`. */
export const accessGuard =
  (mayCompile: MayCompile, next: Guard): Guard =>
  (request, reply) =>
    whenKnown(mayCompile(request), (may) => {
      if (may) return next(request, reply);
      sendErrorResponse(reply.headers(CORS), errorResponse);
      return true;
    });

/** Limits the requests of a client and reports the remaining ones in the headers. */
export const rateGuard =
  (limiter: RateLimiter, clientOf: (request: FastifyRequest) => string): NonNullable<Route['guard']> =>
  (request, reply) =>
    whenKnown(limiter.take(clientOf(request)), ({ allowed, limit, remaining, resetMs }) => {
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
    });

/** Continues synchronously unless the value is a promise, because awaiting costs a turn of the microtask queue. */
const whenKnown = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** The caller of a request. A response from the cache does not need the signal, so it is created on first use. */
export function callerOf(request: FastifyRequest, reply: FastifyReply, client: string): Caller {
  let gone: AbortSignal | undefined;
  return {
    client,
    gone: () => {
      gone ??= goneSignal(request, reply);
      return gone;
    },
  };
}

function goneSignal(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  const isClosed = raw.closed && !raw.writableFinished;
  if (isClosed || (request.raw.destroyed && !request.raw.complete)) gone.abort();
  return gone.signal;
}
