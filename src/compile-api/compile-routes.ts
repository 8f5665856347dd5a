import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Route } from '../http/route.ts';
import { err, type Result } from '../kit/result.ts';
import { accessGuard, type MayCompile } from './access-guard.ts';
import { checkBatch, runBatch } from './batch.ts';
import { askingOf } from './caller.ts';
import { type CheckedOrder, checkOrder, type OrderLimits } from './check-job.ts';
import type { Compilations } from './compilations.ts';
import type { Refusal } from './compile-job.ts';
import type { RateLimiter } from './compile-limits.ts';
import { knownOrders } from './job-cache.ts';
import { rateGuard } from './rate-guard.ts';
import { readBody } from './read-request-body.ts';
import type { RequestFigures } from './request-stats.ts';
import { CORS, sendDelivery, sendParts, sendRefusal } from './response.ts';
import { failureAnswers, json } from './responses.ts';
import { BatchAnswer, BatchRequest, CompileAnswer, CompileRequest, EventStream } from './schemas.ts';
import { sendStream } from './stream.ts';

export type CompileDeps = {
  readonly compilations: Compilations;
  readonly compileLimiter: RateLimiter;
  readonly clientOf: (request: FastifyRequest) => string;
  readonly mayCompile: MayCompile;
  readonly limits: OrderLimits & { readonly maxStreams: number };
  readonly figures: RequestFigures;
  readonly now: () => number;
};

const KNOWN_BYTES = 16 * 1024 * 1024;

const download = Type.Object({
  download: Type.Optional(Type.String({ description: 'Return the list as a file download.' })),
});

const words = {
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

/** The three ways to have lists compiled. They count as one to the limit on requests. */
export function compileRoutes(deps: CompileDeps): Route[] {
  const { compilations, limits, clientOf } = deps;
  let streams = 0;
  const known = knownOrders(KNOWN_BYTES);
  const readOrder = (request: FastifyRequest): Result<CheckedOrder, Refusal> =>
    known(request.headers['content-type'], request.body, () => readBody(request, (body) => checkOrder(body, limits)));

  async function compile(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const order = readOrder(request);
    if (!order.ok) return refuse(reply.headers(CORS), order.error);
    const delivery = await compilations.compile(order.value, askingOf(request, reply, clientOf(request)));
    await sendDelivery(request, reply, delivery, order.value);
    return delivery.kind === 'failed' ? delivery.error : undefined;
  }

  async function stream(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const order = readOrder(request);
    if (!order.ok) return refuse(reply.headers(CORS), order.error);
    if (streams >= limits.maxStreams) return refuse(reply.headers(CORS), tooManyStreams);
    streams++;
    try {
      const asking = askingOf(request, reply, clientOf(request));
      const following = await compilations.follow(order.value, asking);
      if (following.kind === 'failed') return refuse(reply.headers(CORS), following);
      return await sendStream(reply, following, order.value.benchmark, asking.gone);
    } finally {
      streams--;
    }
  }

  async function batch(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const items = readBody(request, (body) => asRefusal(checkBatch(body)));
    if (!items.ok) return refuse(reply, items.error);
    const asking = askingOf(request, reply, clientOf(request));
    await sendParts(request, reply.headers(CORS), await runBatch(items.value, compilations, asking, limits));
    return undefined;
  }

  const guard = accessGuard(deps.mayCompile, rateGuard(deps.compileLimiter, clientOf));
  const noted =
    (path: string, work: typeof compile): Route['run'] =>
    async (request, reply) => {
      const startedAt = deps.now();
      const error = await work(request, reply);
      deps.figures.note(path, deps.now() - startedAt, error);
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
    run: noted(path, work),
  });

  const list = { 'application/json': CompileAnswer, 'text/plain': Type.String() };
  const events = { description: 'Server-sent events.', content: { 'text/event-stream': EventStream } };
  return [
    route(
      '/compile',
      {
        ...words.compile,
        query: download,
        body: CompileRequest,
        answers: { 200: { description: 'The compiled list.', content: list }, ...failureAnswers },
      },
      compile,
    ),
    route(
      '/compile/stream',
      { ...words.stream, body: CompileRequest, answers: { 200: events, ...failureAnswers } },
      stream,
    ),
    route(
      '/compile/batch',
      {
        ...words.batch,
        body: BatchRequest,
        answers: { 200: json('Result of each request.', BatchAnswer), ...failureAnswers },
      },
      batch,
    ),
  ];
}

const tooManyStreams: Refusal = { status: 503, error: 'Too many event streams are open; try again later' };

function refuse(reply: FastifyReply, refusal: Refusal): string {
  sendRefusal(reply, refusal);
  return refusal.error;
}

const asRefusal = <T>(checked: Result<T, string>): Result<T, Refusal> =>
  checked.ok ? checked : err({ status: 400, error: checked.error });
