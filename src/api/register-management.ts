import type { FastifyError, FastifyInstance, HTTPMethods } from 'fastify';
import { registerRoutes } from '../http/register-routes.ts';
import type { Route } from '../http/route.ts';
import { compressReplies } from './compress-replies.ts';
import type { Deps } from './deps.ts';
import { documentRoutes } from './document.ts';
import { type ApiError, toApiError } from './errors.ts';
import { routesOf, sendError } from './handle.ts';
import { linkRoutes } from './link-routes.ts';
import { operations } from './operations.ts';
import { acceptUploads } from './upload.ts';

/** Errors of the service, not of the request. */
const logged: readonly ApiError['kind'][] = ['fault', 'unavailable', 'not applied'];

type About = {
  readonly version: string;
  /** Called with errors of the service. The client gets only the kind of error. */
  readonly onFault: (fault: unknown, about: { readonly path: string; readonly requestId: string }) => void;
};

/** Registers the management API with its own handling of bodies, errors and unknown paths. */
export async function registerManagement(
  server: FastifyInstance,
  deps: Deps,
  { version, onFault }: About,
): Promise<void> {
  const routes = routesOf(operations, deps);
  const links = linkRoutes(deps);
  server.addHook('preClose', async () => deps.liveLog?.endAll());
  await server.register(async (scope) => {
    // Bodies are not parsed here: each route parses its own, and many routes ignore the body with any headers.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    acceptUploads(scope);
    compressReplies(scope);
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const apiError = toApiError(error);
      if (logged.includes(apiError.kind))
        onFault(error, { path: request.routeOptions.url ?? 'no route', requestId: request.id });
      return sendError(reply, apiError);
    });
    registerRoutes(scope, [...routes, ...links, ...documentRoutes([...routes, ...links], version)]);
    registerFallbacks(scope, routes);
  });
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HTTPMethods[];

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Account-Id',
  'access-control-max-age': '86400',
};

/** Known paths answer other methods with 405; unknown paths with 404. */
function registerFallbacks(scope: FastifyInstance, routes: readonly Route[]): void {
  for (const [url, routesOfPath] of Map.groupBy(routes, ({ path }) => path)) {
    const allowed = routesOfPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    scope.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      handler: (_request, reply) => sendError(reply, { kind: 'wrong method', allowed }),
    });
  }
  for (const url of ['/oapi', '/oapi/*', '/api/v1', '/api/v1/*']) {
    scope.route({
      method: [...methods],
      url,
      handler: (_request, reply) => sendError(reply, { kind: 'not found', what: 'path' }),
    });
    scope.options(url, (_request, reply) => (url.startsWith('/oapi') ? reply.headers(PREFLIGHT) : reply).send());
  }
}
