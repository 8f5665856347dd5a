import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Answer, Route } from '../http/route.ts';
import type { Result } from '../kit/result.ts';
import type { Caller, Who } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import type { Reading, Writing } from './store-deps.ts';
import { AccessTokenErrorResponse, ErrorResponse } from './wire/errors.ts';

/** What a request asks, checked. */
export type Asked<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The client that limits count it to: an address, or a network. */
  readonly from: string;
  /** The whole address it came from. */
  readonly address: string;
  /** Whether tokens shall come as a cookie. */
  readonly inCookie: boolean;
};

/** What is written down of a change, in the transaction that makes it. */
export type AuditNote = {
  readonly action: string;
  readonly subject?: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

export type Changed<T> = { readonly reply: T; readonly audit: AuditNote };

/** An answer that is not JSON, or is written already. */
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
    /** Without it the answer is empty. */
    readonly reply?: Reply;
    readonly replyWords: string;
    /** 200 unless said. */
    readonly status?: 202;
    readonly refusals?: readonly (400 | 404 | 429)[];
  };

type Given<Params, Query, Body> = Asked<Of<Params>, Of<Query>, Of<Body>>;

/** Who asks is known; nothing is changed. */
type Read = {
  readonly kind: 'read';
  readonly who: Who;
  readonly run: ReadRun;
};
/** Who asks is known; runs in a transaction and says what it changed. */
export type Change = {
  readonly kind: 'change';
  readonly who: Who;
  /** What has to be awaited before the transaction. */
  readonly prepare?: PrepareRun;
  readonly run: ChangeRun;
};
/** Anyone may ask. */
type Open = { readonly kind: 'open'; readonly run: OpenRun };

type AnyAsked = Asked<never, never, never>;
type ReadRun = (
  store: Reading,
  asked: AnyAsked & { readonly caller: Caller },
  deps: Deps,
) => Promise<Result<unknown, Refusal>>;
type PrepareRun = (deps: Deps, asked: AnyAsked & { readonly caller: Caller }) => Promise<Result<unknown, Refusal>>;
type ChangeRun = (
  store: Writing,
  asked: AnyAsked & { readonly caller: Caller },
  deps: Deps,
  prepared: never,
) => Promise<Result<Changed<unknown>, Refusal>>;
type OpenRun = (
  deps: Deps,
  asked: AnyAsked & { readonly authorization: readonly string[] },
) => Promise<Result<unknown, Refusal>>;

/** One operation of the interface as data. */
export type Operation = Omit<Route, 'run' | 'guard'> & { readonly status: number; readonly does: Read | Change | Open };

export function read<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  R extends TSchema | undefined,
  B extends TSchema | undefined = undefined,
>({
  run,
  who = 'reader',
  ...described
}: Described<P, Q, B, R> & {
  readonly who?: Who;
  readonly run: (
    store: Reading,
    asked: Given<P, Q, B> & { readonly caller: Caller },
    deps: Deps,
  ) => Promise<Result<Of<R> | Raw, Refusal>>;
}): Operation {
  return operation(described, { kind: 'read', who, run: run as ReadRun });
}

export function change<
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | undefined,
  Prepared = undefined,
>({
  run,
  prepare,
  who = 'writer',
  ...described
}: Described<P, Q, B, R> & {
  readonly who?: Who;
  readonly prepare?: (
    deps: Deps,
    asked: Given<P, Q, B> & { readonly caller: Caller },
  ) => Promise<Result<Prepared, Refusal>>;
  readonly run: (
    store: Writing,
    asked: Given<P, Q, B> & { readonly caller: Caller },
    deps: Deps,
    prepared: Prepared,
  ) => Promise<Result<Changed<Of<R> | Raw>, Refusal>>;
}): Operation {
  const before = prepare && { prepare: prepare as PrepareRun };
  return operation(described, { kind: 'change', who, ...before, run: run as ChangeRun });
}

export function open<
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
    asked: Given<P, Q, B> & { readonly authorization: readonly string[] },
  ) => Promise<Result<Of<R> | Raw, Refusal>>;
}): Operation {
  return operation(described, { kind: 'open', run: run as OpenRun });
}

const schemes: Readonly<Record<Who, readonly string[]>> = {
  reader: ['ApiKey', 'AuthToken'],
  writer: ['ApiKey', 'AuthToken'],
  self: ['AuthToken'],
  manager: ['AuthToken'],
};

type AnyDescribed = Described<TSchema | undefined, TSchema | undefined, TSchema | undefined, TSchema | undefined>;

function operation(described: AnyDescribed, does: Operation['does']): Operation {
  const { reply, replyWords, status = 200, refusals = [], params, query, body, ...rest } = described;
  const said: Answer = { description: replyWords, ...(reply && { content: { 'application/json': reply } }) };
  return {
    ...rest,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    status,
    security: does.kind === 'open' ? [] : schemes[does.who],
    answers: { [status]: said, ...refusalAnswers(refusals, does) },
    does,
  };
}

const json = (description: string, schema: TSchema): Answer => ({
  description,
  content: { 'application/json': schema },
});

const words = {
  400: 'The request is wrong; `fields` say where.',
  403: 'The caller may not do this.',
  404: 'There is no such thing in this account.',
  429: 'A limit is reached.',
} as const;

function refusalAnswers(refusals: readonly (400 | 404 | 429)[], does: Operation['does']): Record<number, Answer> {
  const isForSome = does.kind !== 'open' && does.who !== 'reader';
  const statuses = isForSome ? [...refusals, 403 as const] : refusals;
  return {
    ...Object.fromEntries(statuses.map((status) => [status, json(words[status], ErrorResponse)])),
    ...(does.kind !== 'open' && { 401: json('Credentials are missing or not valid.', AccessTokenErrorResponse) }),
  };
}
