import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CORS } from '../compile-api/response.ts';
import { clientAddress, isTrustedBy, limitKey, parseTrusted } from '../http/client-address.ts';
import { hasTwoHosts, strangeHostBy, twoHosts, wrongHost } from '../http/host-check.ts';
import { limitConnections } from '../http/http-connections.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from './metrics.ts';

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
    frameworkErrors: (_error, _request, reply) => void notFound(reply.header('x-content-type-options', 'nosniff')),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });

  // Bodies stay bytes: each route reads them by its own rules.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const { closed } = limitConnections(server.server, settings);
  metrics.gauge(
    'weir_http_connections_over_limit',
    'HTTP connections that were closed because one address had too many.',
    closed,
  );
  const isStrange = strangeHostBy(settings);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (hasTwoHosts(request)) twoHosts(reply);
    else if (isStrange(request.raw)) wrongHost(reply);
    else done();
  });
  server.options('*', (_request, reply) => reply.headers(CORS_PREFLIGHT).send());
  const noteStray = createNote('none', metrics, log);
  server.setNotFoundHandler((request, reply) => {
    notFound(reply);
    noteStray(request, reply);
  });
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (request.is404) return notFound(reply);
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ err: error, path: pathOf(request) }, 'a request failed');
    return (
      reply
        .code(status)
        // Only the compile service takes POST here, and pages of other origins may use it.
        .headers({ 'content-type': 'application/json', ...(request.method === 'POST' && CORS) })
        .send(Buffer.from(JSON.stringify({ success: false, error: status >= 500 ? 'Internal error' : error.message })))
    );
  });
  // By route as it is registered: to ask each request for its route costs more than to count it.
  server.addHook('onRoute', (route) => {
    const note = createNote(route.url, metrics, log);
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        note(request, reply);
        done();
      },
    ];
  });
  return server;
}

type Note = (request: FastifyRequest, reply: FastifyReply) => void;

/** Counts and logs what one route has answered. */
function createNote(route: string, metrics: Metrics, log: Logger): Note {
  const seconds = metrics.requestSeconds.labels({ route });
  const counts = new Map<string, ReturnType<typeof metrics.requests.labels>>();
  return (request, reply) => {
    const { method } = request;
    const status = reply.statusCode;
    const name = `${method} ${status}`;
    const count = counts.get(name) ?? metrics.requests.labels({ method, route, status });
    counts.set(name, count);
    count.inc();
    seconds.observe(reply.elapsedTime / 1000);
    if (log.isLevelEnabled('debug'))
      log.debug(
        { method, path: pathOf(request), status, seconds: reply.elapsedTime / 1000, client: request.ip },
        'answered',
      );
  };
}

const notFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('content-type', 'text/plain;charset=UTF-8').send('Not Found');

/** Tokens and keys by their prefix, wherever a client put them, and the token of a link to an address. */
const secretInPath = /weir_[a-z]+_[\w-]+|(?<=^\/linkip\/[^/]*\/)[^/]+/g;

/** The path for the log: without the query string and without secrets. */
const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.replace(secretInPath, '***');

/** The address that a request came from, by the word of trusted proxies only. */
export function addressBy({ trustedProxy }: Settings): (request: FastifyRequest) => string {
  const trusted = parseTrusted(trustedProxy);
  return ({ raw }) =>
    clientAddress({
      socketAddress: raw.socket.remoteAddress ?? '',
      forwardedFor: raw.headersDistinct['x-forwarded-for'],
      trusted,
    });
}

/** Whether a request comes from a network that may compile without credentials. */
export function isCompileClientBy(settings: Settings): (request: FastifyRequest) => boolean {
  const isIn = isTrustedBy(parseTrusted(settings.compileClients));
  const addressOf = addressBy(settings);
  return (request) => isIn(addressOf(request));
}

/** Whom limits count a request to. */
export function clientBy({ trustedProxy }: Settings): (request: FastifyRequest) => string {
  const trusted = parseTrusted(trustedProxy);
  const keyOf = (socketAddress: string, forwardedFor?: readonly string[]): string =>
    limitKey(clientAddress({ socketAddress, forwardedFor, trusted }));
  if (trustedProxy.length > 0)
    return ({ raw }) => keyOf(raw.socket.remoteAddress ?? '', raw.headersDistinct['x-forwarded-for']);
  // Where nobody is believed, all requests of a connection are from its other end.
  const ofSocket = new WeakMap<Socket, string>();
  return ({ raw: { socket } }) => {
    const key = ofSocket.get(socket) ?? keyOf(socket.remoteAddress ?? '');
    ofSocket.set(socket, key);
    return key;
  };
}
