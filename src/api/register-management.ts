import type { FastifyError, FastifyInstance, HTTPMethods } from 'fastify';
import { registerRoutes } from '../http/register-routes.ts';
import type { Route } from '../http/route.ts';
import type { Deps } from './deps.ts';
import { documentRoutes } from './document.ts';
import type { Refusal } from './errors.ts';
import { routesOf, sendRefusal } from './handle.ts';
import { linkRoutes } from './link-routes.ts';
import { operations } from './operations.ts';

const BUSY_SECONDS = 2;
const STORE_SECONDS = 5;
// What a store calls a fault that is not the request's: the same request may be granted later.
const passing: readonly unknown[] = ['busy', 'disk full', 'read only', 'corrupt', 'unreachable', 'lost'];
// The same for the query log.
const passingInLog: readonly unknown[] = ['disk full', 'unavailable'];

type About = {
  readonly version: string;
  /** Told of what nobody foresaw; the caller is told only that it happened. */
  readonly onFault: (fault: unknown, path: string) => void;
};

/** The management interface on a server, with rules of its own for bodies, errors and paths that lead nowhere. */
export async function registerManagement(
  server: FastifyInstance,
  deps: Deps,
  { version, onFault }: About,
): Promise<void> {
  const routes = routesOf(operations, deps);
  const links = linkRoutes(deps);
  server.addHook('preClose', async () => deps.liveLog?.endAll());
  await server.register(async (scope) => {
    // Bodies stay bytes: each route reads them by its own rules, and many have none whatever their headers say.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = refusalOf(error);
      if (refusal.kind === 'fault' || refusal.kind === 'unavailable')
        onFault(error, request.routeOptions.url ?? 'no route');
      return sendRefusal(reply, refusal);
    });
    registerRoutes(scope, [...routes, ...links, ...documentRoutes([...routes, ...links], version)]);
    registerStrays(scope, routes);
  });
}

function refusalOf(error: FastifyError & { readonly failure?: unknown; readonly kind?: unknown }): Refusal {
  const { name, statusCode, message, failure, kind } = error;
  const isPassing =
    (name === 'StoreError' && passing.includes(failure)) || (name === 'LogFault' && passingInLog.includes(kind));
  if (isPassing) return { kind: 'unavailable', retryAfterSeconds: STORE_SECONDS };
  if (name === 'TooBusy') return { kind: 'slow down', retryAfterSeconds: BUSY_SECONDS };
  if (statusCode === 413) return { kind: 'too large' };
  return statusCode !== undefined && statusCode < 500 ? { kind: 'bad request', message } : { kind: 'fault' };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HTTPMethods[];

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-max-age': '86400',
};

/** Known paths say which methods they know; others say that there is nothing. */
function registerStrays(scope: FastifyInstance, routes: readonly Route[]): void {
  for (const [url, known] of Map.groupBy(routes, ({ path }) => path)) {
    const allowed = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    scope.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      handler: (_request, reply) => sendRefusal(reply, { kind: 'wrong method', allowed }),
    });
  }
  for (const url of ['/oapi', '/oapi/*', '/api/v1', '/api/v1/*']) {
    scope.route({
      method: [...methods],
      url,
      handler: (_request, reply) => sendRefusal(reply, { kind: 'not found', what: 'path' }),
    });
    scope.options(url, (_request, reply) => (url.startsWith('/oapi') ? reply.headers(PREFLIGHT) : reply).send());
  }
}
