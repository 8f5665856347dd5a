import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { parseRequestJson } from '../http/request-json.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';

type Property = { readonly type?: string };

/**
 * Reads the parameters of a schema; unknown ones are ignored. Lists are repeated names, with or without brackets
 * (`devices[]=a`); if a single value is repeated, the first one is used.
 */
export function readQuery(request: FastifyRequest, schema: TSchema): Record<string, unknown> {
  const query = request.query as Readonly<Record<string, string | readonly string[]>>;
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Property>> };
  const read: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(properties)) {
    const texts = [query[name] ?? [], query[`${name}[]`] ?? []].flat();
    const [first] = texts;
    if (first === undefined) continue;
    read[name] = type === 'array' ? distinct(texts) : type === 'integer' ? integerOr(first) : first;
  }
  return read;
}

/** Empty values are ignored. */
const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];

const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * Text that is not a number is returned unchanged, so that validation rejects it. Integers above the largest exact number, which clients
 * send for "no limit", become that number.
 */
const integerOr = (text: string): number | string =>
  /^-?\d{1,19}$/.test(text) ? Math.max(-SAFE, Math.min(SAFE, Number(text))) : text;

const FORM = 'application/x-www-form-urlencoded';

/** Parses the body: JSON, or a form if the route accepts one. An empty body is `whenEmpty`. */
export function readBody(
  request: FastifyRequest,
  { takesForm, whenEmpty }: { readonly takesForm: boolean; readonly whenEmpty?: unknown },
): Result<unknown, ApiError> {
  const body = bytesOf(request.body);
  if (body.length === 0)
    return whenEmpty === undefined ? err({ kind: 'bad request', message: 'A body is required' }) : ok(whenEmpty);
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const isForm = type === FORM || (takesForm && type === '');
  if (isForm && !takesForm) return err({ kind: 'wrong content type', wanted: 'application/json' });
  if (isForm) return ok(formOf(body.toString()));
  if (!isJsonType(type)) return err({ kind: 'wrong content type', wanted: takesForm ? FORM : 'application/json' });
  const parsed = parseRequestJson(body);
  return parsed.ok ? parsed : err({ kind: 'bad request', message: `The body is not JSON: ${parsed.error}` });
}

const bytesOf = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : typeof body === 'string' ? Buffer.from(body) : Buffer.alloc(0);

// Some clients send JSON without a Content-Type.
const isJsonType = (type: string): boolean =>
  ['', 'application/json', 'text/plain', 'text/json'].includes(type) || /^application\/[\w.-]+\+json$/.test(type);

/** If a name is repeated, the first value is used, as in the query. */
function formOf(text: string): Record<string, string> {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) if (!form.has(name)) form.set(name, value);
  return Object.fromEntries(form);
}
