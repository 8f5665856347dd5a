import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CORS } from '../compile-api/response.ts';
import { clientAddress, isTrustedBy, limitKey, parseTrusted } from '../http/client-address.ts';
import { hasTwoHosts, twoHosts, unknownHostCheck, wrongHost } from '../http/host-check.ts';
import { limitConnections } from '../http/http-connections.ts';
import { isPrivate, localNetworkAddresses } from '../platform/own-addresses.ts';
import { PRIVATE_ADDRESSES } from '../settings/setting-kinds.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from './metrics.ts';

const CORS_PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
};

// The process stops within ten seconds; the rest is for the other components.
const DRAIN_MS = 7_000;

/** The HTTP server of the service. Routes are registered on `server` before `listen` is called. */
export function createHttpServer(settings: Settings, log: Logger, metrics: Metrics) {
  const server = createServer(settings, log, metrics);
  const addresses = (): readonly AddressInfo[] => {
    const address = server.server.address();
    return address === null || typeof address === 'string' ? [] : [address];
  };
  let stopping: Promise<boolean> | undefined;
  return {
    server,
    listen: (): Promise<AddressInfo> => listen(server, settings.http),
    /** The URL of the interface for users: an address of the local network where it listens there; empty before `listen`. */
    url: (): string => addresses().map(reachable).map(urlOf)[0] ?? '',
    listeners: () => addresses().map(({ address, port }) => ({ name: 'http', host: address, port })),
    /** Stops accepting requests and resolves to whether those in flight were completed in time; otherwise `stopWork` ends them. */
    stop: (stopWork: () => Promise<void>): Promise<boolean> => {
      stopping ??= drain(server, stopWork);
      return stopping;
    },
  };
}

/** Of a listener on all addresses, the one that other machines reach. */
function reachable({ address, port, family }: AddressInfo): AddressInfo {
  if (address !== '::' && address !== '0.0.0.0') return { address, port, family };
  return { address: localNetworkAddresses()[0] ?? '127.0.0.1', port, family };
}

const urlOf = ({ address, port }: AddressInfo): string =>
  `http://${address.includes(':') ? `[${address}]` : address}:${port}`;

async function listen(server: FastifyInstance, { host, port }: Settings['http']): Promise<AddressInfo> {
  // Addresses come and go with the network, so the listener takes all and refuses those that are not private.
  if (host === PRIVATE_ADDRESSES) server.server.prependListener('connection', closeIfPublic);
  const all = host === PRIVATE_ADDRESSES ? '::' : host;
  try {
    await server.listen({ host: all, port });
  } catch (error) {
    // A machine without IPv6 still has IPv4 addresses.
    if (all !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    await server.listen({ host: '0.0.0.0', port });
  }
  return server.server.address() as AddressInfo;
}

function closeIfPublic(socket: Socket): void {
  if (!isPrivate(socket.localAddress ?? '')) socket.destroy();
}

async function drain(server: FastifyInstance, stopWork: () => Promise<void>): Promise<boolean> {
  const drained = server.close().then(() => 'drained' as const);
  const first = await Promise.race([drained, setTimeout(DRAIN_MS, 'late' as const, { ref: false })]);
  if (first === 'drained') return true;
  await stopWork();
  await Promise.race([drained, setTimeout(DRAIN_MS / 16, undefined, { ref: false })]);
  server.server.closeAllConnections();
  await drained;
  return false;
}

/** Limits, errors, log and metrics; no routes. */
function createServer(settings: Settings, log: Logger, metrics: Metrics): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: settings.maxBodyBytes,
    // For receiving a complete request.
    requestTimeout: 30_000,
    // Without traffic in either direction; a compilation sends nothing until it is done.
    connectionTimeout: (settings.compileTimeSeconds + 60) * 1000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 100_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    // A malformed path is answered like an unknown one.
    frameworkErrors: (_error, _request, reply) => void notFound(reply.header('x-content-type-options', 'nosniff')),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });

  // Bodies stay bytes: each route parses its own.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const { closed } = limitConnections(server.server, settings);
  metrics.gauge(
    'weir_http_connections_over_limit',
    'HTTP connections closed because of the limit per client address.',
    closed,
  );
  const isUnknownHost = unknownHostCheck(settings);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
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
    if (status >= 500) log.error({ err: error, path: pathOf(request) }, 'request failed');
    return (
      reply
        .code(status)
        // Only the compile service handles POST here, and pages of other origins may use it.
        .headers({ 'content-type': 'application/json', ...(request.method === 'POST' && CORS) })
        .send(Buffer.from(JSON.stringify({ success: false, error: status >= 500 ? 'Internal error' : error.message })))
    );
  });
  // Per registered route: reading the route of each request costs more than counting.
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
  return server;
}

type RecordRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Counts and logs the responses of one route. */
function requestRecorder(route: string, metrics: Metrics, log: Logger): RecordRequest {
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

/** Tokens and keys, by their prefix, anywhere in the path, and the token of a device link. */
const secretInPath = /weir_[a-z]+_[\w-]+|(?<=^\/linkip\/[^/]*\/)[^/]+/g;

/** The path for the log: without the query string and without secrets. */
const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.replace(secretInPath, '***');

/** The client address of a request. X-Forwarded-For is used only from trusted proxies. */
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

/** The client for rate limits: an address or a network. */
export function clientBy({ trustedProxy }: Settings): (request: FastifyRequest) => string {
  const trusted = parseTrusted(trustedProxy);
  const keyOf = (socketAddress: string, forwardedFor?: readonly string[]): string =>
    limitKey(clientAddress({ socketAddress, forwardedFor, trusted }));
  if (trustedProxy.length > 0)
    return ({ raw }) => keyOf(raw.socket.remoteAddress ?? '', raw.headersDistinct['x-forwarded-for']);
  // Without trusted proxies all requests of a connection have the same client.
  const ofSocket = new WeakMap<Socket, string>();
  return ({ raw: { socket } }) => {
    const key = ofSocket.get(socket) ?? keyOf(socket.remoteAddress ?? '');
    ofSocket.set(socket, key);
    return key;
  };
}
