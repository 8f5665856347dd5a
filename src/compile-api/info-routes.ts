import type { FastifyReply } from 'fastify';
import type { Route } from '../http/route.ts';
import { serviceInfo } from './info.ts';
import type { RequestFigures } from './request-stats.ts';
import { CORS } from './response.ts';
import { json } from './responses.ts';
import { EndpointFigures, Info } from './schemas.ts';

type Deps = { readonly version: string; readonly figures: RequestFigures };

/** What the service says of itself and of its work. */
export const infoRoutes = ({ version, figures }: Deps): Route[] => [
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
    path: '/metrics',
    group: 'Service',
    summary: 'Get request statistics of the last 30 minutes',
    answers: { 200: json('Request counts by endpoint.', EndpointFigures) },
    run: (_request, reply) =>
      sendJson(reply.header('cache-control', 'no-cache'), {
        window: '30 minutes',
        timestamp: new Date().toISOString(),
        endpoints: figures.summary(),
      }),
  },
];

// As bytes: to a text Fastify would add a charset, which JSON has no use for.
const sendJson = (reply: FastifyReply, value: object): FastifyReply =>
  reply.headers({ ...CORS, 'content-type': 'application/json' }).send(Buffer.from(JSON.stringify(value)));
