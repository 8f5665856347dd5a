import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { Route } from '../http/route.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type Caller, forbiddenReason, inAccount } from './authenticate.ts';
import { type Checked, fieldCheck, repairingCheck } from './check.ts';
import type { Deps } from './deps.ts';
import { dropNulls } from './drop-nulls.ts';
import { tagOf } from './entity-tags.ts';
import { type ApiError, toResponse, toTokenResponse } from './errors.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { mutate } from './mutate.ts';
import { isRaw, type Operation, type OperationInput } from './operation.ts';
import { withOperationErrors } from './operation-errors.ts';
import { readBody, readQuery } from './read-request.ts';
import { type RequestCache, requestCache } from './request-cache.ts';
import { credentialsOf, endOfCookie, pageOriginOf, wantedCookie } from './session-cookie.ts';
import { readUpload, UPLOAD_TYPE } from './upload.ts';

/** Converts operations to routes, which authenticate, validate, run and answer requests in the same way. */
export function routesOf(operations: readonly Operation[], deps: Deps): Route[] {
  const cache = requestCache(deps);
  return operations.map((operation) => {
    const { handler: _, status: __, ...route } = operation;
    return { ...route, run: handle(operation, deps, cache) };
  });
}

function handle(operation: Operation, deps: Deps, cache: RequestCache): Route['run'] {
  const { handler, status } = operation;
  const readInput = inputReader(operation, deps);
  const run = async (request: FastifyRequest, reply: FastifyReply): Promise<Result<unknown, ApiError>> => {
    const from = deps.clientOf(request);
    if (handler.kind === 'public') {
      // The header only: a session cookie must not authenticate on routes without required credentials.
      const authorization = request.raw.headersDistinct['authorization'] ?? [];
      const read = readInput(request, from);
      if (!read.ok) return read;
      const { input, schemaErrors: errors } = read.value;
      return errors.length === 0 ? handler.run(deps, { ...input, authorization }) : err({ kind: 'invalid', errors });
    }
    const cacheEntry = cache.open(credentialsOf(deps, request));
    const authenticated = cacheEntry.caller() ?? (await cacheEntry.authenticate());
    if (!authenticated.ok) {
      reply.headers(endOfCookie(deps, request));
      return authenticated;
    }
    const account = accountHeader(request);
    const caller = account === undefined ? authenticated : await inAccount(deps, authenticated.value, account);
    if (!caller.ok) return caller;
    const forbidden = forbiddenReason(caller.value, handler.requires);
    if (forbidden) return err(forbidden);
    if (deps.requestRate && !(await isWithinRate(deps.requestRate, caller.value, reply)))
      return err({ kind: 'too many requests' });
    const isCacheable = handler.kind === 'query' && handler.isCacheable && account === undefined;
    const cached = isCacheable ? cacheEntry.reply(request.url) : undefined;
    if (cached) return ok(cached);
    const read = readInput(request, from);
    if (!read.ok) return read;
    const { schemaErrors: errors } = read.value;
    const withCaller = { ...read.value.input, caller: caller.value };
    if (handler.kind === 'mutation') {
      if (errors.length > 0) return err(await withOperationErrors(handler, withCaller, deps, read.value));
      const idempotent = readIdempotencyKey(deps, request, caller.value, read.value.input.body);
      if (!idempotent.ok) return idempotent;
      const { 'if-match': ifMatch } = request.headers;
      const outcome = await mutate(handler, withCaller, deps, { ifMatch, idempotent: idempotent.value });
      if (outcome.ok) reply.headers(outcome.value.headers);
      return outcome.ok ? ok(outcome.value.reply) : outcome;
    }
    if (errors.length > 0) return err({ kind: 'invalid', errors });
    // Read before the content: if a change happens in between, the tag is outdated and a later If-Match fails.
    const state = await handler.stateOf?.(deps.store.read, withCaller);
    const etag = state === undefined ? {} : { etag: tagOf(deps, state) };
    const result = await handler.run(deps.store.read, withCaller, deps);
    if (isCacheable && result.ok && !isRaw(result.value))
      return ok(cacheEntry.storeReply(request.url, result.value, etag));
    reply.headers(etag);
    return result;
  };
  return async (request, reply) => {
    const result = await run(request, reply);
    // Thrown so that it is logged, because no request should cause it.
    if (!result.ok && result.error.kind === 'conflict' && result.error.what !== 'email')
      throw new Error(`conflict of ${result.error.what} after all attempts`);
    return result.ok ? sendReply(reply, status, result.value) : sendError(reply, result.error);
  };
}

/** Counts the request and reports the remaining ones in the headers, if the operator has set a limit. */
async function isWithinRate(
  requestRate: NonNullable<Deps['requestRate']>,
  { user }: Caller,
  reply: FastifyReply,
): Promise<boolean> {
  const { allowed, limit, remaining, resetMs } = await requestRate.take(user);
  const reset = Math.ceil(resetMs / 1000);
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset });
  if (!allowed) reply.header('retry-after', String(Math.max(1, reset)));
  return allowed;
}

const accountHeader = ({ headers }: FastifyRequest): string | undefined => [headers['x-account-id']].flat()[0];

type AnyInput = OperationInput<never, never, never>;
type Read = Pick<Checked<unknown>, 'schemaErrors' | 'uncertainPaths' | 'alternatives'> & { readonly input: AnyInput };

function inputReader(
  operation: Operation,
  deps: Pick<Deps, 'addressOf' | 'publicUrl'>,
): (request: FastifyRequest, from: string) => Result<Read, ApiError> {
  const { query = empty, body, bodyTypes = [], bodyIsOptional = false } = operation;
  const checkQuery = fieldCheck(query);
  const checkBody = repairingCheck(body ?? empty);
  const takesForm = bodyTypes.length > 0;
  const bodyOf = (request: FastifyRequest): ReturnType<typeof checkBody> | Result<never, ApiError> => {
    const unchecked = { alternatives: [], schemaErrors: [], uncertainPaths: [] };
    if (!body) return ok({ value: undefined, ...unchecked });
    if (bodyTypes.includes(UPLOAD_TYPE)) {
      const upload = readUpload(request);
      return upload.ok ? ok({ value: upload.value, ...unchecked }) : upload;
    }
    const read = readBody(request, { takesForm, ...(bodyIsOptional && { whenEmpty: {} }) });
    return read.ok ? checkBody(dropNulls(body, read.value)) : read;
  };
  return (request, from) => {
    const parameters = checkQuery(readQuery(request, query));
    if (!parameters.ok) return parameters;
    if (nameOfNul(request.params)) return err({ kind: 'not found', what: 'path' });
    const withNul = nameOfNul(parameters.value);
    if (withNul) return err(invalid(withNul, 'must not contain a NUL character'));
    const content = bodyOf(request);
    if (!content.ok) return content;
    const input = {
      params: request.params,
      query: parameters.value,
      body: content.value.value,
      from,
      address: deps.addressOf(request),
      pageOrigin: pageOriginOf(request),
      userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT),
      inCookie: wantedCookie(deps, request),
    } as AnyInput;
    const { schemaErrors, uncertainPaths, alternatives } = content.value;
    return ok({ input, schemaErrors, uncertainPaths, alternatives });
  };
}

/** The name of a parameter that contains NUL. PostgreSQL rejects queries with it, and no stored value has one. */
const nameOfNul = (parameters: unknown): string | undefined =>
  Object.entries(parameters as Readonly<Record<string, unknown>>).find(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && text.includes('\0')),
  )?.[0];

const MAX_USER_AGENT = 512;
const empty: TSchema = Type.Object({});

/** Its errors also have the members of OAuth 2.0. */
export const TOKEN_PATH = '/oapi/v1/oauth_token';

const COMMON = { 'cache-control': 'no-store' };
// CORS is enabled for /oapi, which published clients call from other origins; /api is for our own pages and for scripts.
const PUBLISHED = {
  ...COMMON,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Rules-Without-Effect, X-Request-Id',
};
const commonOf = ({ request }: FastifyReply): typeof COMMON => (request.url.startsWith('/oapi/') ? PUBLISHED : COMMON);

function sendReply(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  reply.headers(commonOf(reply));
  if (value === undefined) return reply.code(status).send();
  if (isRaw(value)) {
    const { content } = value;
    reply.code(value.status ?? status).headers(value.headers);
    return typeof content === 'string' ? reply.serializer(unchanged).send(content) : reply.send(content);
  }
  return sendJson(reply.code(status), value);
}

export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  const isTokenRequest = reply.request.routeOptions.url === TOKEN_PATH;
  const { status, body, headers } = isTokenRequest ? toTokenResponse(error) : toResponse(error);
  return sendJson(reply.code(status).headers({ ...commonOf(reply), ...headers }), body);
}

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply => sendText(reply, JSON.stringify(value));

const unchanged = (text: unknown): string => text as string;

// The serializer prevents Fastify from adding a charset, which JSON does not have. A Buffer would cause a separate write.
const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json').serializer(unchanged).send(text);
