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
          onRequest: (request, reply, done) => {
            const goOn = (isAnswered: boolean): void => {
              if (!isAnswered) done();
            };
            const isAnswered = guard(request, reply);
            if (isAnswered instanceof Promise) isAnswered.then(goOn, done);
            else goOn(isAnswered);
          },
        }),
        handler: run,
      });
    }
  }
}
