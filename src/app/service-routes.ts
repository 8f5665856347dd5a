import Type from 'typebox';
import { configurationSchema } from '../compiler/configuration-schema.ts';
import { openApiDocument } from '../http/openapi.ts';
import type { Route } from '../http/route.ts';
import { version } from '../platform/version.ts';
import { type Health, live, readiness } from './health.ts';

const Status = Type.Object({ status: Type.String() });
const Ready = Type.Object({
  status: Type.String(),
  dns: Type.String({
    description:
      '`listening`, `not answering` while the resolver does not answer the query of the health check, or `off`.',
  }),
  settings: Type.Optional(
    Type.String({
      description:
        '`last known` while DNS uses earlier settings: the store is unavailable, or a stored change is not applied yet.',
    }),
  ),
  parts: Type.Object(
    {
      settings: Type.Optional(
        Type.Object({
          state: Type.String({
            description: '`current`, `last known`, or `stale` (changes could not be read from the database for 30 s).',
          }),
          revision: Type.Integer({ description: 'Revision of the newest settings change that this node has read.' }),
          lagSeconds: Type.Integer({ description: 'Time since this node was last up to date with all changes.' }),
        }),
      ),
      upstreams: Type.Optional(
        Type.Object({
          state: Type.String({ description: '`up`, `some down`, `down` or `unknown`.' }),
          up: Type.Optional(Type.Integer()),
          total: Type.Optional(Type.Integer()),
        }),
      ),
      log: Type.Optional(
        Type.Object({
          state: Type.String({
            description:
              '`storing`, `behind` (queries wait for more than 30 s), `unreachable` (the last access failed) or `unknown`.',
          }),
          lagSeconds: Type.Optional(Type.Integer()),
          waiting: Type.Optional(Type.Integer({ description: 'Queries that are not stored yet.' })),
        }),
      ),
    },
    { description: 'State of each part. None of them makes the service unready: DNS is answered without them.' },
  ),
});

/** The routes of the compile service, of the health checks and of their OpenAPI document. */
export function serviceRoutes(parts: readonly Route[], health: Health): Route[] {
  const { $schema: _, ...configuration } = configurationSchema({ mayBeNull: true }) as Record<string, unknown>;
  const routes = [...parts, ...healthRoutes(health), documentRoute(() => text)];
  const document = openApiDocument(routes, {
    title: 'Weir',
    version,
    description: 'Compiles filter lists: adblock rules, hosts files and plain domains into one list.',
    components: { Configuration: configuration },
  });
  const text = json(document);
  return routes;
}

const uncached = { 'content-type': 'application/json', 'cache-control': 'no-store' };
// A Buffer, because Fastify adds a charset to strings, which JSON does not have.
const json = (body: object): Buffer => Buffer.from(JSON.stringify(body));

const healthRoutes = (health: Health): Route[] => [
  {
    method: 'GET',
    path: '/health/live',
    group: 'Health',
    summary: 'Liveness check',
    answers: { 200: { description: 'The service runs.', content: { 'application/json': Status } } },
    run: (_request, reply) => reply.headers(uncached).send(json(live)),
  },
  {
    method: 'GET',
    path: '/health/ready',
    aliases: ['/health', '/api/health'],
    group: 'Health',
    summary: 'Readiness check',
    answers: {
      200: { description: 'The service is ready.', content: { 'application/json': Ready } },
      503: {
        description: 'The service is stopping, or DNS is not answered.',
        content: { 'application/json': Ready },
      },
    },
    run: async (_request, reply) => {
      const { status, body } = await readiness(health);
      return reply.code(status).headers(uncached).send(json(body));
    },
  },
];

/** The document describes all routes including this one, so it is passed as a function. */
const documentRoute = (document: () => Buffer): Route => ({
  method: 'GET',
  path: '/api/openapi.json',
  group: 'Service',
  summary: 'OpenAPI document',
  answers: { 200: { description: 'OpenAPI 3.1.', content: { 'application/json': Type.Unknown() } } },
  run: (_request, reply) => reply.header('content-type', 'application/json').send(document()),
});
