import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { clientAddress, limitKey, parseTrusted } from './client-address.ts';
import type { Metrics } from './metrics.ts';
import type { Settings } from './settings.ts';

const CORS_PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
};

/** An HTTP server with everything but routes: limits, errors, log and figures of what was answered. */
export function createHttpServer(settings: Settings, log: Logger, metrics: Metrics): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: settings.maxBodyBytes,
    // To receive a whole request.
    requestTimeout: 30_000,
    // Without a byte in either direction; a compilation says nothing until it is done.
    connectionTimeout: (settings.compileTimeSeconds + 60) * 1000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 100_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    // A path that is no path leads nowhere, like any other that is not there.
    frameworkErrors: (_error, _request, reply) => void notFound(reply),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });

  // Bodies stay bytes: each route reads them by its own rules.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  server.options('*', (_request, reply) => reply.headers(CORS_PREFLIGHT).send());
  server.setNotFoundHandler((_request, reply) => notFound(reply));
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (request.is404) return notFound(reply);
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ err: error, path: pathOf(request) }, 'a request failed');
    return reply
      .code(status)
      .headers({ 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .send(Buffer.from(JSON.stringify({ success: false, error: status >= 500 ? 'Internal error' : error.message })));
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const seconds = reply.elapsedTime / 1000;
    metrics.requests.inc({ method: request.method, route, status: reply.statusCode });
    metrics.requestSeconds.observe({ route }, seconds);
    log.debug(
      { method: request.method, path: pathOf(request), status: reply.statusCode, seconds, client: request.ip },
      'answered',
    );
    done();
  });
  return server;
}

const notFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('content-type', 'text/plain;charset=UTF-8').send('Not Found');

/** Query strings may hold secrets and stay out of the log. */
const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;

/** Whom limits count a request to. */
export function clientBy({ trustedProxy }: Settings): (request: FastifyRequest) => string {
  const trusted = parseTrusted(trustedProxy);
  return ({ raw }) =>
    limitKey(
      clientAddress({
        socketAddress: raw.socket.remoteAddress ?? '',
        forwardedFor: raw.headersDistinct['x-forwarded-for'],
        trusted,
      }),
    );
}
