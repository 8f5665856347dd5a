import type { FastifyInstance } from 'fastify';
import type { Route } from './route.ts';

/** Registers the routes with all their paths. */
export function registerRoutes(server: FastifyInstance, routes: readonly Route[]): void {
  for (const { method, path, aliases = [], guard, run } of routes) {
    for (const url of [path, ...aliases]) {
      server.route({
        method,
        url,
        ...(guard && {
          onRequest: async (request, reply) => {
            if (await guard(request, reply)) return reply;
            return undefined;
          },
        }),
        handler: run,
      });
    }
  }
}
