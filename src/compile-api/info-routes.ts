import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../http/route.ts';
import type { RequestStats } from './request-stats.ts';
import { CORS } from './response.ts';
import { Access, EndpointFigures, exampleRequest, Info, json } from './schemas.ts';

const endpoints: Readonly<Record<string, string>> = {
  'GET /': 'Information page',
  'GET /api': 'API information (this endpoint)',
  'GET /api/openapi.json': 'OpenAPI document',
  'GET /api/docs': 'API reference',
  'GET /metrics': 'Request metrics and statistics',
  'POST /compile': 'Compile a filter list (JSON response)',
  'POST /compile/stream': 'Compile with real-time progress (SSE)',
  'POST /compile/batch': 'Compile multiple filter lists in parallel',
  'GET /compile/access': 'Whether the page may be used without signing in',
  'GET /lists/{id}': 'Fetch a compiled list',
  'POST /diff': 'Compare two lists',
  'POST /validate': 'Validate rules for DNS filtering',
};

/** Description of the service. */
const serviceInfo = (version: string) => ({
  name: 'Weir',
  version,
  endpoints,
  example: { method: 'POST', url: '/compile', body: exampleRequest },
});

type Deps = {
  readonly version: string;
  readonly stats: RequestStats;
  readonly mayUsePage: (request: FastifyRequest) => boolean;
};

/** Description and statistics of the service. */
export const infoRoutes = ({ version, stats, mayUsePage }: Deps): Route[] => [
  {
    method: 'GET',
    path: '/api',
    group: 'Service',
    summary: 'Get service information',
    answers: { 200: json('Name, version, endpoints and an example.', Info) },
    run: (_request, reply) => sendJson(reply, serviceInfo(version)),
  },
  {
    method: 'GET',
    path: '/compile/access',
    aliases: ['/api/compile/access'],
    group: 'Service',
    summary: 'Get whether this client may use the compiler page without signing in',
    answers: { 200: json('Access of this client.', Access) },
    run: (request, reply) => sendJson(reply.header('cache-control', 'no-store'), { page: mayUsePage(request) }),
  },
  {
    method: 'GET',
    path: '/metrics',
    aliases: ['/api/metrics'],
    group: 'Service',
    summary: 'Get request statistics of the last 30 minutes',
    answers: { 200: json('Request counts by endpoint.', EndpointFigures) },
    run: (_request, reply) =>
      sendJson(reply.header('cache-control', 'no-cache'), {
        window: '30 minutes',
        timestamp: new Date().toISOString(),
        endpoints: stats.summary(),
      }),
  },
];

// As bytes, because Fastify adds a charset to strings, which JSON does not have.
const sendJson = (reply: FastifyReply, value: object): FastifyReply =>
  reply.headers({ ...CORS, 'content-type': 'application/json' }).send(Buffer.from(JSON.stringify(value)));
