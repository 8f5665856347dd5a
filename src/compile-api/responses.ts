import type { TSchema } from 'typebox';
import type { Answer } from '../http/route.ts';
import { Failure } from './schemas.ts';

export const json = (description: string, schema: TSchema): Answer => ({
  description,
  content: { 'application/json': schema },
});

/** What any request with a body may be told instead of its answer. */
export const failureAnswers: Readonly<Record<number, Answer>> = {
  400: json('Invalid request; `details` lists the errors.', Failure),
  403: json('This address may not compile without credentials.', Failure),
  413: json('The body is larger than the limit.', Failure),
  415: json('The Content-Type is not JSON.', Failure),
  429: json('Rate limit or work limit exceeded; retry after the time in `Retry-After`.', Failure),
  500: json('A source could not be downloaded, or the compilation failed.', Failure),
  503: json('Too many compilations are waiting.', Failure),
};
