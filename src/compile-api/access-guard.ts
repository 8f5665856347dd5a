import type { FastifyRequest } from 'fastify';
import type { Route } from '../http/route.ts';
import { CORS, sendRefusal } from './response.ts';

export type MayCompile = (request: FastifyRequest) => Promise<boolean> | boolean;

type Guard = NonNullable<Route['guard']>;

const refusal = {
  status: 403,
  error:
    'Your address may not compile without credentials. Send an API key in the Authorization header, sign in, or ask the operator to add your network to compile-clients',
};

/** Refuses clients that may not compile; only requests of the others count towards the limit of `next`. */
export const accessGuard =
  (mayCompile: MayCompile, next: Guard): Guard =>
  async (request, reply) => {
    if (await mayCompile(request)) return next(request, reply);
    sendRefusal(reply.headers(CORS), refusal);
    return true;
  };
