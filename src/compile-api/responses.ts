import type { TSchema } from 'typebox';
import type { Answer } from '../http/route.ts';
import { Failure } from './schemas.ts';

export const json = (description: string, schema: TSchema): Answer => ({
  description,
  content: { 'application/json': schema },
});

/** What any request with a body may be told instead of its answer. */
export const failureAnswers: Readonly<Record<number, Answer>> = {
  400: json('The request is wrong; `details` say where.', Failure),
  403: json('Compilations are not open to this address without credentials.', Failure),
  413: json('The body is larger than the limit.', Failure),
  415: json('The body is not JSON by its Content-Type.', Failure),
  429: json('Too many requests, or too much work; `Retry-After` says when to come back.', Failure),
  500: json('A source could not be had, or the compilation failed.', Failure),
  503: json('Too many compilations are waiting.', Failure),
};
