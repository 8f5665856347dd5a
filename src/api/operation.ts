import type { Readable } from 'node:stream';
import Type, { type Static, type TSchema } from 'typebox';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../domain/stored-reply.ts';
import type { Answer, Route } from '../http/route.ts';
import type { Result } from '../kit/result.ts';
import type { AuditNote } from '../operations/audit-entry.ts';
import type { Caller, RequiredAccess } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { CookieKind } from './session-cookie.ts';
import { AccessTokenErrorResponse, ErrorResponse } from './wire/errors.ts';

/** The validated content of a request. */
export type OperationInput<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The client for rate limits: an address or a network. */
  readonly from: string;
  /** The full client address. */
  readonly address: string;
  /** Scheme, host and port of the page that sends the request. */
  readonly pageOrigin: string;
  /** At most 512 characters. */
  readonly userAgent: string | undefined;
  /** Whether to return tokens as a cookie. */
  readonly inCookie: CookieKind | undefined;
};

/** The state of the requested resource, which its ETag identifies. Undefined if the resource does not exist. */
type StateOf<Input> = (store: StoreReader, input: Input) => Promise<unknown>;

export type Changed<T> = { readonly reply: T; readonly audit: AuditNote };

/** A response that is not JSON, or already serialised. */
export type Raw = {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Buffer | Readable;
};

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && 'content' in value && 'headers' in value;

type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type Described<Params, Query, Body, Reply> = Pick<Route, 'method' | 'path' | 'group' | 'summary'> &
  Partial<Pick<Route, 'operationId' | 'description' | 'bodyTypes' | 'bodyIsOptional'>> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    /** If it is missing, the response is empty, or has the media type `replyType`. */
    readonly reply?: Reply;
    readonly replyType?: string;
    readonly replyHeaders?: Readonly<Record<string, string>>;
    readonly responseDescription: string;
    /** Default: 200. */
    readonly status?: 202;
    readonly errors?: readonly (400 | 404 | 429)[];
  };

type InputOf<Params, Query, Body> = OperationInput<Of<Params>, Of<Query>, Of<Body>>;
type WithCaller<Input> = Input & { readonly caller: Caller };
type AnyInput = OperationInput<never, never, never>;

/** Authenticated and read-only. */
type Query = {
  readonly kind: 'query';
  readonly requires: RequiredAccess;
  readonly stateOf: StateOf<WithCaller<AnyInput>> | undefined;
  /** Whether the reply depends only on the request, its caller, the store and the host names of this service. */
  readonly isCacheable: boolean;
  readonly run: (store: StoreReader, input: WithCaller<AnyInput>, deps: Deps) => Promise<Result<unknown, ApiError>>;
};
/** Authenticated; runs in a transaction, which a returned error rolls back, and returns its audit note. */
export type Mutation = {
  readonly kind: 'mutation';
  readonly requires: RequiredAccess;
  /** If present, If-Match is compared with it before the change. */
  readonly stateOf: StateOf<WithCaller<AnyInput>> | undefined;
  /** Writes before a returned error are committed: counted attempts and used-up tokens. */
  readonly commitsErrors: boolean;
  /** Asynchronous work before the transaction. */
  readonly prepare?: (deps: Deps, input: WithCaller<AnyInput>) => Promise<Result<unknown, ApiError>>;
  readonly run: (
    store: Transaction,
    input: WithCaller<AnyInput>,
    deps: Deps,
    prepared: never,
  ) => Promise<Result<Changed<unknown>, ApiError>>;
};
/** No authentication. */
type Public = {
  readonly kind: 'public';
  readonly run: (
    deps: Deps,
    input: AnyInput & { readonly authorization: readonly string[] },
  ) => Promise<Result<unknown, ApiError>>;
};

/** One operation of the API as data. */
export type Operation = Omit<Route, 'run' | 'guard'> & {
  readonly status: number;
  readonly handler: Query | Mutation | Public;
};

export function query<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  R extends TSchema | undefined,
  B extends TSchema | undefined = undefined,
>({
  run,
  requires = 'reader',
  stateOf,
  isCacheable = false,
  ...described
}: Described<P, Q, B, R> & {
  readonly requires?: RequiredAccess;
  readonly stateOf?: StateOf<WithCaller<InputOf<P, Q, B>>>;
  readonly isCacheable?: boolean;
  readonly run: (
    store: StoreReader,
    input: WithCaller<InputOf<P, Q, B>>,
    deps: Deps,
  ) => Promise<Result<Of<R> | Raw, ApiError>>;
}): Operation {
  return operation(described, {
    kind: 'query',
    requires,
    stateOf: stateOf as Query['stateOf'],
    isCacheable,
    run: run as Query['run'],
  });
}

export function mutation<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
  Prepared = undefined,
>({
  run,
  prepare,
  requires = 'writer',
  stateOf,
  commitsErrors = false,
  ...described
}: Described<P, Q, B, R> & {
  readonly requires?: RequiredAccess;
  readonly stateOf?: StateOf<WithCaller<InputOf<P, Q, B>>>;
  readonly commitsErrors?: boolean;
  readonly prepare?: (deps: Deps, input: WithCaller<InputOf<P, Q, B>>) => Promise<Result<Prepared, ApiError>>;
  readonly run: (
    store: Transaction,
    input: WithCaller<InputOf<P, Q, B>>,
    deps: Deps,
    prepared: Prepared,
  ) => Promise<Result<Changed<Of<R> | Raw>, ApiError>>;
}): Operation {
  const before = prepare && { prepare: prepare as NonNullable<Mutation['prepare']> };
  return operation(described, {
    kind: 'mutation',
    requires,
    stateOf: stateOf as Mutation['stateOf'],
    commitsErrors,
    ...before,
    run: run as Mutation['run'],
  });
}

export function publicRoute<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
>({
  run,
  ...described
}: Described<P, Q, B, R> & {
  readonly run: (
    deps: Deps,
    input: InputOf<P, Q, B> & { readonly authorization: readonly string[] },
  ) => Promise<Result<Of<R> | Raw, ApiError>>;
}): Operation {
  return operation(described, { kind: 'public', run: run as Public['run'] });
}

const schemes: Readonly<Record<RequiredAccess, readonly string[]>> = {
  reader: ['ApiKey', 'AuthToken'],
  writer: ['ApiKey', 'AuthToken'],
  self: ['AuthToken'],
  manager: ['AuthToken'],
};

type AnyDescribed = Described<TSchema | undefined, TSchema | undefined, TSchema | undefined, TSchema | undefined>;

function operation(described: AnyDescribed, handler: Operation['handler']): Operation {
  const {
    reply,
    replyType,
    replyHeaders,
    responseDescription,
    status = 200,
    errors: _,
    params,
    query,
    body,
    ...rest
  } = described;
  const headers = { ...replyHeaders, ...(handler.kind !== 'public' && handler.stateOf && { ETag: entityTag }) };
  const success: Answer = {
    description: responseDescription,
    ...(reply && { content: { 'application/json': reply } }),
    ...(replyType !== undefined && { content: { [replyType]: Type.String({ format: 'binary' }) } }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  return {
    ...rest,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    status,
    security: handler.kind === 'public' ? [] : schemes[handler.requires],
    headers: requestHeaders(described.method, handler),
    answers: { [status]: success, ...errorAnswers(described, handler) },
    handler,
  };
}

const json = (description: string, schema: TSchema): Answer => ({
  description,
  content: { 'application/json': schema },
});

const errorDescriptions = {
  400: 'Invalid request; `fields` lists the invalid fields.',
  403: 'The caller is not allowed to do this.',
  404: 'Not found in this account.',
  409: 'The request with this Idempotency-Key was executed before; its response was not stored.',
  412: 'The resource was changed since it was read: If-Match does not have its ETag.',
  413: 'The body is larger than the limit.',
  415: 'The content type of the body is not supported.',
  422: 'The Idempotency-Key was used for another request.',
  500: 'Internal error; the log of the service has details.',
  503: 'The database is unavailable, or the change is stored but not applied yet.',
  429: 'A limit of the account is reached, or there were too many requests.',
} as const;

const entityTag = 'Identifies the state of the resource. Send it as If-Match with a change.';

const acceptsIdempotencyKey = (method: Route['method'], handler: Operation['handler']): boolean =>
  handler.kind === 'mutation' && method === 'POST';

const requestHeaders = (method: Route['method'], handler: Operation['handler']): TSchema =>
  Type.Object({
    ...(handler.kind === 'mutation' &&
      handler.stateOf && {
        'If-Match': Type.Optional(
          Type.String({ description: 'The change is made only if the resource still has this ETag.' }),
        ),
      }),
    ...(acceptsIdempotencyKey(method, handler) && {
      'Idempotency-Key': Type.Optional(
        Type.String({
          maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
          description:
            'A repeated request with the same key is executed once and gets the same response, for 24 hours.',
        }),
      ),
    }),
  });

function errorAnswers(
  { method, errors = [], body }: Pick<AnyDescribed, 'method' | 'errors' | 'body'>,
  handler: Operation['handler'],
): Record<number, Answer> {
  const statuses = [
    ...errors,
    // 403: any authenticated request may choose an account that the caller does not belong to.
    ...(handler.kind === 'public' ? [] : [403 as const, 429 as const]),
    ...(handler.kind === 'mutation' ? [412 as const] : []),
    ...(acceptsIdempotencyKey(method, handler) ? [400 as const, 409 as const, 422 as const] : []),
    ...(body ? [413 as const, 415 as const] : []),
    500 as const,
    503 as const,
  ];
  return {
    ...Object.fromEntries(statuses.map((status) => [status, json(errorDescriptions[status], ErrorResponse)])),
    // Sent by the HTTP server before it selects an operation.
    421: { description: 'The Host header has a name that this server does not know: see the setting `public-url`.' },
    ...(handler.kind !== 'public' && { 401: json('Missing or invalid credentials.', AccessTokenErrorResponse) }),
  };
}
