import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sendError } from '../api/handle.ts';
import { CORS } from '../compile-api/response.ts';
import { hasTwoHosts, twoHosts, unknownHostCheck, wrongHost } from '../http/host-check.ts';
import { limitConnections } from '../http/http-connections.ts';
import { answerMalformed } from '../http/malformed-requests.ts';
import type { Settings } from '../settings/settings.ts';
import { httpTimeoutMs } from './http-timeout.ts';
import type { Metrics } from './metrics.ts';

const CORS_PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
};

/** Limits, errors, log and metrics of all requests. Routes are registered later. */
export function createHttpServer(settings: Settings, log: Logger, metrics: Metrics) {
  const server: FastifyInstance = Fastify({
    logger: false,
    genReqId: requestId,
    bodyLimit: settings.maxBodyBytes,
    // Timeout for receiving a complete request.
    requestTimeout: 30_000,
    connectionTimeout: httpTimeoutMs(settings),
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 100_000,
    // An account may have 1,000 devices, and each may be a parameter of 17 characters.
    http: { maxHeaderSize: 64 * 1024, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
    // A malformed path is answered like an unknown one, except by the management API.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-content-type-options', 'nosniff').header('x-request-id', request.id);
      void (isManagementPath(request.url) ? sendError(reply, malformedPath) : notFound(reply));
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });

  // Bodies are not parsed here: each route parses its own.
  server.removeAllContentTypeParsers();
  // Also registered for the exact JSON type: otherwise Fastify parses the content type for each request.
  for (const type of ['application/json', '*'])
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const { closed, useLimit } = limitConnections(server.server, settings);
  metrics.gauge(
    'weir_http_connections_over_limit',
    'HTTP connections closed because of the limit per client address.',
    closed,
  );
  const isUnknownHost = unknownHostCheck(settings);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff').header('x-request-id', request.id);
    if (hasTwoHosts(request)) twoHosts(reply);
    else if (isUnknownHost(request.raw)) wrongHost(reply);
    else done();
  });
  server.options('*', (_request, reply) => reply.headers(CORS_PREFLIGHT).send());
  const recordUnknown = requestRecorder('none', metrics, log);
  server.setNotFoundHandler((request, reply) => {
    notFound(reply);
    recordUnknown(request, reply);
  });
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (request.is404) return notFound(reply);
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ err: error, path: pathOf(request), requestId: request.id }, 'request failed');
    return (
      reply
        .code(status)
        // Only the compile service handles POST here, and pages of other origins may use it.
        .headers({ 'content-type': 'application/json', ...(request.method === 'POST' && CORS) })
        .send(Buffer.from(JSON.stringify({ success: false, error: status >= 500 ? 'Internal error' : error.message })))
    );
  });
  // One hook per registered route, because reading the route of a request costs more than counting.
  server.addHook('onRoute', (route) => {
    const record = requestRecorder(route.url, metrics, log);
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        record(request, reply);
        done();
      },
    ];
  });
  return {
    server,
    /** Uses the limits of these settings from now on. */
    useSettings: (next: Settings): void => useLimit(next.httpConnectionsPerAddress),
  };
}

const isManagementPath = (url: string): boolean => /^\/(?:oapi|api)\//.test(url);
const malformedPath = { kind: 'bad request', message: 'The path is not valid: check its percent-encoding' } as const;

const idPrefix = randomBytes(6).toString('hex');
let requests = 0;
const validRequestId = /^[\w.:=+/-]{1,128}$/;

/** The request id from the client or a proxy, so that log lines of all servers can be correlated; otherwise a new one. */
function requestId({ headers }: IncomingMessage): string {
  const header = headers['x-request-id'];
  if (typeof header === 'string' && validRequestId.test(header)) return header;
  requests += 1;
  return `${idPrefix}-${requests.toString(36)}`;
}

type RecordRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Counts and logs the responses of one route. */
function requestRecorder(route: string, metrics: Metrics, log: Logger): RecordRequest {
  const record = metrics.http.recorderOf(route);
  return (request, reply) => {
    const { method } = request;
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    record({ method, status, ms });
    if (log.isLevelEnabled('debug'))
      log.debug(
        {
          method,
          path: pathOf(request),
          status,
          seconds: ms / 1000,
          client: request.ip,
          requestId: request.id,
        },
        'answered',
      );
  };
}

const notFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).header('content-type', 'text/plain;charset=UTF-8').send('Not Found');

/** Tokens and keys, by their prefix, anywhere in the path, and the token of a device link. */
const secretInPath = /weir_[a-z]+_[\w-]+|(?<=^\/linkip\/[^/]*\/)[^/]+/g;

/** The path for the log: without the query string and without secrets. */
const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.replace(secretInPath, '***');
