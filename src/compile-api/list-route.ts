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
    'By the id that `Content-Location` of a compilation told: the list of that configuration, made anew when it is older than an hour, so that a filter can subscribe to it. By the id in an `ETag`: exactly that content, while it is kept.',
  params: Type.Object({ id: Type.String({ description: 'The id of a list or of its content.' }) }),
  query: Type.Object({ download: Type.Optional(Type.String({ description: 'Answer the list as a file.' })) }),
  answers: {
    200: { description: 'The list.', content: { 'text/plain': Type.String() } },
    304: { description: 'The list is as `If-None-Match` knows it.' },
    404: json('There is no such list.', Failure),
  },
  run: async (request, reply) => {
    const { id } = request.params as { id: string };
    const asking = askingOf(request, reply, clientOf(request));
    const result = /^[0-9a-f]{64}$/.test(id) ? await compilations.fetchList(id, asking) : undefined;
    reply.headers({ ...CORS, vary: 'Accept-Encoding' });
    if (!result) return sendRefusal(reply, { status: 404, error: 'There is no such list' });
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
