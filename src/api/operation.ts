import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
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
  /** Return tokens as a cookie. */
  readonly inCookie: CookieKind | undefined;
};

export type Changed<T> = { readonly reply: T; readonly audit: AuditNote };

/** A response that is not JSON, or already serialised. */
export type Raw = {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Buffer | Readable;
};

type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type Described<Params, Query, Body, Reply> = Pick<Route, 'method' | 'path' | 'group' | 'summary'> &
  Partial<Pick<Route, 'operationId' | 'description' | 'bodyTypes' | 'bodyIsOptional'>> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    /** Without it the response is empty. */
    readonly reply?: Reply;
    readonly responseDescription: string;
    /** Default: 200. */
    readonly status?: 202;
    readonly errors?: readonly (400 | 404 | 429)[];
  };

type InputOf<Params, Query, Body> = OperationInput<Of<Params>, Of<Query>, Of<Body>>;
type WithCaller<Input> = Input & { readonly caller: Caller };
type AnyInput = OperationInput<never, never, never>;

/** Authenticated; changes nothing. */
type Query = {
  readonly kind: 'query';
  readonly requires: RequiredAccess;
  readonly run: (store: StoreReader, input: WithCaller<AnyInput>, deps: Deps) => Promise<Result<unknown, ApiError>>;
};
/** Authenticated; runs in a transaction, which a returned error rolls back, and returns its audit note. */
export type Mutation = {
  readonly kind: 'mutation';
  readonly requires: RequiredAccess;
  /** Writes before a returned error are committed: counted attempts and used-up tokens. */
  readonly commitsErrors: boolean;
  /** Work that must be awaited before the transaction. */
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
  ...described
}: Described<P, Q, B, R> & {
  readonly requires?: RequiredAccess;
  readonly run: (
    store: StoreReader,
    input: WithCaller<InputOf<P, Q, B>>,
    deps: Deps,
  ) => Promise<Result<Of<R> | Raw, ApiError>>;
}): Operation {
  return operation(described, { kind: 'query', requires, run: run as Query['run'] });
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
  commitsErrors = false,
  ...described
}: Described<P, Q, B, R> & {
  readonly requires?: RequiredAccess;
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
  return operation(described, { kind: 'mutation', requires, commitsErrors, ...before, run: run as Mutation['run'] });
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
  const { reply, responseDescription, status = 200, errors = [], params, query, body, ...rest } = described;
  const success: Answer = {
    description: responseDescription,
    ...(reply && { content: { 'application/json': reply } }),
  };
  return {
    ...rest,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    status,
    security: handler.kind === 'public' ? [] : schemes[handler.requires],
    answers: { [status]: success, ...errorAnswers(errors, handler) },
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
  429: 'Limit reached.',
} as const;

function errorAnswers(errors: readonly (400 | 404 | 429)[], handler: Operation['handler']): Record<number, Answer> {
  const isRestricted = handler.kind !== 'public' && handler.requires !== 'reader';
  const statuses = isRestricted ? [...errors, 403 as const] : errors;
  return {
    ...Object.fromEntries(statuses.map((status) => [status, json(errorDescriptions[status], ErrorResponse)])),
    ...(handler.kind !== 'public' && { 401: json('Missing or invalid credentials.', AccessTokenErrorResponse) }),
  };
}
