import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Route } from '../http/route.ts';
import { askingOf } from './caller.ts';
import type { Compilations } from './compilations.ts';
import { CORS, sendList, sendRefusal } from './response.ts';
import { json } from './responses.ts';
import { Failure } from './schemas.ts';

type Deps = {
  readonly compilations: Compilations;
  readonly clientOf: (request: FastifyRequest) => string;
};

/** Compiled lists for programs that subscribe to them. */
export const listRoute = ({ compilations, clientOf }: Deps): Route => ({
  method: 'GET',
  path: '/lists/:id',
  group: 'Lists',
  summary: 'Fetch a compiled list',
  description:
    'With the id from `Content-Location` of a compilation: the list of that configuration, compiled again if it is older than one hour, so that filters can subscribe to it. With the id from an `ETag`: exactly that content, while it is cached.',
  params: Type.Object({ id: Type.String({ description: 'List id or content id.' }) }),
  query: Type.Object({ download: Type.Optional(Type.String({ description: 'Return the list as a file download.' })) }),
  answers: {
    200: { description: 'The list.', content: { 'text/plain': Type.String() } },
    304: { description: 'Not modified: the content matches `If-None-Match`.' },
    404: json('Unknown list.', Failure),
  },
  run: async (request, reply) => {
    const { id } = request.params as { id: string };
    const asking = askingOf(request, reply, clientOf(request));
    const result = /^[0-9a-f]{64}$/.test(id) ? await compilations.fetchList(id, asking) : undefined;
    reply.headers({ ...CORS, vary: 'Accept-Encoding' });
    if (!result) return sendRefusal(reply, { status: 404, error: 'Unknown list' });
    reply.headers({
      // Weak: the date of the list is not part of it.
      etag: `W/"${result.contentId}"`,
      'cache-control': 'no-cache',
      'last-modified': new Date(result.compiledAt).toUTCString(),
    });
    if (isKnown(request.headers['if-none-match'], result.contentId)) return reply.code(304).send();
    return sendList(request, reply, result);
  },
});

const isKnown = (tags: string | undefined, contentId: string): boolean =>
  tags !== undefined && (tags.trim() === '*' || tags.includes(`"${contentId}"`));
