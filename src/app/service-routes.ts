import Type from 'typebox';
import { configurationSchema } from '../compiler/configuration-schema.ts';
import { openApiDocument } from '../http/openapi.ts';
import { openApiPage } from '../http/openapi-page.ts';
import type { Route } from '../http/route.ts';
import { version } from './version.ts';

const Status = Type.Object({ status: Type.String() });

/** All routes of the program: those of its parts, and those about them. */
export function serviceRoutes(parts: readonly Route[], isReady: () => boolean): Route[] {
  const routes = [...parts, ...healthRoutes(isReady)];
  const { $schema: _, ...configuration } = configurationSchema() as Record<string, unknown>;
  const document = openApiDocument(routes, {
    title: 'Weir',
    version,
    description: 'Compiles filter lists: adblock rules, hosts files and plain domains into one list.',
    components: { Configuration: configuration },
  });
  return [...routes, ...documentRoutes(JSON.stringify(document), openApiPage(document))];
}

const healthRoutes = (isReady: () => boolean): Route[] => [
  {
    method: 'GET',
    path: '/health/live',
    group: 'Health',
    summary: 'Whether the program runs',
    answers: { 200: { description: 'It runs.', content: { 'application/json': Status } } },
    run: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }),
  },
  {
    method: 'GET',
    path: '/health/ready',
    group: 'Health',
    summary: 'Whether it wants requests',
    answers: {
      200: { description: 'It does.', content: { 'application/json': Status } },
      503: { description: 'It is starting or stopping.', content: { 'application/json': Status } },
    },
    run: (_request, reply) =>
      reply
        .code(isReady() ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: isReady() ? 'ready' : 'not ready' }),
  },
];

const documentRoutes = (document: string, page: { html: string; policy: string }): Route[] => {
  const showPage: Route['run'] = (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': page.policy,
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
      })
      .send(page.html);
  return [
    {
      method: 'GET',
      path: '/api/openapi.json',
      group: 'Service',
      summary: 'This document',
      answers: { 200: { description: 'OpenAPI 3.1.' } },
      run: (_request, reply) =>
        reply.headers({ 'content-type': 'application/json', 'access-control-allow-origin': '*' }).send(document),
    },
    {
      method: 'GET',
      path: '/api/docs',
      aliases: ['/'],
      group: 'Service',
      summary: 'This document as a page',
      answers: { 200: { description: 'HTML.' } },
      run: showPage,
    },
  ];
};
