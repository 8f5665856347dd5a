import type { FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { Answer, Route } from '../http/route.ts';
import { isObject } from '../kit/is-object.ts';
import type { Result } from '../kit/result.ts';
import type { ErrorResponse } from './compile-job.ts';
import { checkBy, readBody } from './read-request.ts';
import type { RateLimiter } from './request-guards.ts';
import { accessGuard, callerOf, type MayCompile, rateGuard } from './request-guards.ts';
import { CORS, sendErrorResponse, sendParts } from './response.ts';
import {
  DiffAnswer,
  DiffRequest,
  failureAnswers,
  json,
  PublishedDiffRequest,
  ValidateAnswer,
  ValidateRequest,
} from './schemas.ts';
import { diffJob, type ToolJob, type ToolOutcome, validateJob } from './tools.ts';

export type ToolDeps = {
  readonly toolLimiter: RateLimiter;
  readonly runTool: (
    job: ToolJob,
    options: { client: string; signal: AbortSignal },
  ) => Promise<ToolOutcome | ErrorResponse>;
  readonly clientOf: (request: FastifyRequest) => string;
  readonly mayCompile: MayCompile;
};

type Tool = {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  readonly answer: Answer;
  readonly readJob: (request: FastifyRequest) => Result<ToolJob, ErrorResponse>;
};

const checkDiff = checkBy(DiffRequest);
const checkValidate = checkBy(ValidateRequest);

const tools: readonly Tool[] = [
  {
    path: '/diff',
    summary: 'Compare two lists',
    description: 'Ignores comments and empty lines.',
    body: Type.Union([DiffRequest, PublishedDiffRequest]),
    answer: json('Added and removed rules.', DiffAnswer),
    readJob: (request) =>
      then(
        readBody(request, (body) => checkDiff(withOurNames(body))),
        diffJob,
      ),
  },
  {
    path: '/validate',
    summary: 'Validate rules for DNS filtering',
    description: 'Reports for each rule whether it is valid, or the error and its position.',
    body: ValidateRequest,
    answer: json('Result for each line.', ValidateAnswer),
    readJob: (request) => then(readBody(request, checkValidate), validateJob),
  },
];

/** Tools for list authors. */
export const toolRoutes = ({ toolLimiter, runTool, clientOf, mayCompile }: ToolDeps): Route[] =>
  tools.map(({ path, summary, description, body, answer, readJob }) => ({
    method: 'POST',
    path,
    aliases: [`/api${path}`],
    group: 'Tools',
    summary,
    description,
    body,
    answers: { 200: answer, ...failureAnswers },
    guard: accessGuard(mayCompile, rateGuard(toolLimiter, clientOf)),
    run: async (request, reply) => {
      reply.headers(CORS);
      const job = readJob(request);
      if (!job.ok) return sendErrorResponse(reply, job.error);
      const { client, gone } = callerOf(request, reply, clientOf(request));
      const outcome = await runTool(job.value, { client, signal: gone() });
      if ('status' in outcome) return sendErrorResponse(reply, outcome);
      return sendParts(request, reply, [{ text: { plain: outcome.answer } }]);
    },
  }));

/** The published service calls the lists `original` and `current`. */
const withOurNames = (body: unknown): unknown =>
  isObject(body) && 'original' in body && !('before' in body)
    ? { before: body['original'], after: body['current'] }
    : body;

const then = <T, U>(result: Result<T, ErrorResponse>, next: (value: T) => U): Result<U, ErrorResponse> =>
  result.ok ? { ok: true, value: next(result.value) } : result;
