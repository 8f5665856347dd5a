import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../kit/private-address.ts';
import { CHALLENGE_PATH } from './acme-names.ts';
import { webPaths } from './web-paths.ts';

const open: ReadonlySet<string> = new Set([
  ...webPaths,
  '/api/v1/set_up',
  '/api/v1/set_up/backup',
  '/api/v1/set_up/backup/check',
  '/health',
  '/api/health',
  '/health/live',
  '/health/ready',
]);
const NOT_SET_UP = Buffer.from(
  JSON.stringify({
    success: false,
    error: 'This server has no account yet. Create it with the set-up link in the log of the server',
  }),
);

/** Until an account exists, other machines can only use the set-up page. Add this before the routes. */
export function serveOnlySetUp(server: FastifyInstance, hasAccount: () => Promise<boolean>): void {
  let isSetUp = false;
  server.addHook('onRequest', (request, reply, done) => {
    if (isSetUp || isLoopback(request.raw.socket.localAddress ?? '')) return done();
    const path = request.url.split('?', 1)[0]!;
    if (open.has(path) || path.startsWith('/assets/') || path.startsWith(CHALLENGE_PATH)) return done();
    hasAccount().then(
      (exists) => {
        isSetUp = exists;
        if (exists) done();
        else reply.code(403).header('content-type', 'application/json').send(NOT_SET_UP);
      },
      // The store cannot be read; the request fails later if it needs the store.
      () => done(),
    );
  });
}
