import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Route } from '../http/route.ts';
import { err, type Result } from '../kit/result.ts';
import { checkBatch, runBatch } from './batch.ts';
import type { Compilations } from './compilations.ts';
import type { ErrorResponse } from './compile-job.ts';
import { compileRequestReader, type JobLimits, readBody } from './read-request.ts';
import type { RateLimiter } from './request-guards.ts';
import { accessGuard, callerOf, type MayCompile, rateGuard } from './request-guards.ts';
import type { RequestStats } from './request-stats.ts';
import { CORS, sendErrorResponse, sendList, sendParts, sendResult } from './response.ts';
import {
  BatchAnswer,
  BatchRequest,
  CompileAnswer,
  CompileRequest,
  EventStream,
  Failure,
  failureAnswers,
  json,
} from './schemas.ts';
import { sendFailedStream, sendStream } from './stream.ts';

export type CompileDeps = {
  readonly compilations: Compilations;
  readonly compileLimiter: RateLimiter;
  readonly clientOf: (request: FastifyRequest) => string;
  readonly mayCompile: MayCompile;
  readonly limits: JobLimits & { readonly maxStreams: number };
  readonly stats: RequestStats;
  readonly now: () => number;
};

const download = Type.Object({
  download: Type.Optional(Type.String({ description: 'Return the list as a file download.' })),
});

const descriptions = {
  compile: {
    summary: 'Compile a filter list',
    description:
      'Returns JSON, or the list as text with `Accept: text/plain` or `?download`. `Content-Location` is the URL of the list. Results are cached for one hour.',
  },
  stream: {
    summary: 'Compile a filter list and stream progress events',
    description: 'Always compiles; the cached result of an earlier compilation is included as `previousVersion`.',
  },
  batch: {
    summary: 'Compile up to ten filter lists in parallel',
    description: 'Results are in the order of the requests; a failed request does not affect the others.',
  },
};

/** The three compile endpoints; they share one rate limit. */
export function compileRoutes(deps: CompileDeps): Route[] {
  const { compilations, limits, clientOf } = deps;
  let streams = 0;
  const readJob = compileRequestReader(limits);

  async function compile(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const job = readJob(request);
    if (!job.ok) return respondWithError(reply.headers(CORS), job.error);
    const compiled = await compilations.compile(job.value, callerOf(request, reply, clientOf(request)));
    await sendResult(request, reply, compiled, job.value);
    return compiled.kind === 'failed' ? compiled.error : undefined;
  }

  async function stream(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const job = readJob(request);
    // As in the published API, an invalid configuration is answered with a stream that contains an error.
    if (!job.ok && job.error.about === 'configuration')
      return sendFailedStream(reply, job.error, callerOf(request, reply, clientOf(request)).gone());
    if (!job.ok) return respondWithError(reply.headers(CORS), job.error);
    if (streams >= limits.maxStreams) return respondWithError(reply.headers(CORS), tooManyStreams);
    streams++;
    try {
      const caller = callerOf(request, reply, clientOf(request));
      const following = await compilations.follow(job.value, caller);
      if (following.kind === 'failed') return respondWithError(reply.headers(CORS), following);
      return await sendStream(reply, following, job.value, caller.gone());
    } finally {
      streams--;
    }
  }

  async function batch(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const items = readBody(request, (body) => asErrorResponse(checkBatch(body)));
    if (!items.ok) return respondWithError(reply, items.error);
    const caller = callerOf(request, reply, clientOf(request));
    await sendParts(request, reply.headers(CORS), await runBatch(items.value, compilations, caller, limits));
    return undefined;
  }

  const guard = accessGuard(deps.mayCompile, rateGuard(deps.compileLimiter, clientOf));
  const withStats =
    (path: string, work: typeof compile): Route['run'] =>
    async (request, reply) => {
      const startedAt = deps.now();
      const error = await work(request, reply);
      deps.stats.record(path, deps.now() - startedAt, error);
      return reply;
    };
  const route = (
    path: string,
    rest: Omit<Route, 'method' | 'path' | 'group' | 'run'>,
    work: typeof compile,
  ): Route => ({
    method: 'POST',
    path,
    aliases: [`/api${path}`],
    group: 'Compile',
    guard,
    ...rest,
    run: withStats(path, work),
  });

  const list = { 'application/json': CompileAnswer, 'text/plain': Type.String() };
  const events = { description: 'Server-sent events.', content: { 'text/event-stream': EventStream } };
  return [
    route(
      '/compile',
      {
        ...descriptions.compile,
        query: download,
        body: CompileRequest,
        answers: { 200: { description: 'The compiled list.', content: list }, ...failureAnswers },
      },
      compile,
    ),
    route(
      '/compile/stream',
      { ...descriptions.stream, body: CompileRequest, answers: { 200: events, ...failureAnswers } },
      stream,
    ),
    route(
      '/compile/batch',
      {
        ...descriptions.batch,
        body: BatchRequest,
        answers: { 200: json('Result of each request.', BatchAnswer), ...failureAnswers },
      },
      batch,
    ),
  ];
}

const tooManyStreams: ErrorResponse = { status: 503, error: 'Too many event streams are open; try again later' };

function respondWithError(reply: FastifyReply, errorResponse: ErrorResponse): string {
  sendErrorResponse(reply, errorResponse);
  return errorResponse.error;
}

const asErrorResponse = <T>(checked: Result<T, string>): Result<T, ErrorResponse> =>
  checked.ok ? checked : err({ status: 400, error: checked.error });

type Deps = {
  readonly compilations: Compilations;
  readonly clientOf: (request: FastifyRequest) => string;
};

/** Compiled lists for subscribers. */
export const listRoute = ({ compilations, clientOf }: Deps): Route => ({
  method: 'GET',
  path: '/lists/:id',
  aliases: ['/api/lists/:id'],
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
    const caller = callerOf(request, reply, clientOf(request));
    const result = /^[0-9a-f]{64}$/.test(id) ? await compilations.fetchList(id, caller) : undefined;
    reply.headers({ ...CORS, vary: 'Accept-Encoding' });
    if (!result) return sendErrorResponse(reply, { status: 404, error: 'Unknown list' });
    reply.headers({
      // Weak: the timestamp of the list is not included.
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
