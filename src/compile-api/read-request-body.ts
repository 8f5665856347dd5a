import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { bodyCheck } from '../http/check-body.ts';
import { parseRequestJson } from '../http/request-json.ts';
import { err, type Result } from '../kit/result.ts';
import type { Refusal } from './compile-job.ts';

/** What a request carries, checked, or why it cannot be taken. */
export function readBody<T>(request: FastifyRequest, check: (body: unknown) => Result<T, Refusal>): Result<T, Refusal> {
  if (!isJson(request.headers['content-type'])) return err(notJson);
  const parsed = parseRequestJson((request.body ?? '') as Buffer | string);
  return parsed.ok ? check(parsed.value) : err({ status: 400, error: parsed.error });
}

const notJson: Refusal = { status: 415, error: 'Unsupported Content-Type: send application/json' };

/** Said to be JSON, or not said to be anything: programs forget to say it, or say that it is text. */
const isJson = (type = ''): boolean =>
  /^(|application\/([\w.-]+\+)?json|text\/plain)$/i.test(type.split(';', 1)[0]!.trim());

/** The check that a schema alone can make. */
export function checkBy<Schema extends TSchema>(schema: Schema): (body: unknown) => Result<Static<Schema>, Refusal> {
  const check = bodyCheck(schema);
  return (body) => {
    const checked = check(body);
    return checked.ok ? checked : err({ status: 400, error: 'Invalid request body', details: checked.error });
  };
}
