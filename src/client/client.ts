import type { Operations } from './operations.ts';
import { type ErrorBody, WeirError } from './weir-error.ts';

export type ClientSettings = {
  /** Address of the server without a path, for example `https://dns.example.org`. Default: the origin of the page. */
  readonly baseUrl?: string;
  /** If neither `apiKey` nor `accessToken` is set, pages of the web interface send their session cookie. */
  readonly apiKey?: string;
  readonly accessToken?: string;
  /** Another account of the user, see `GET /oapi/v1/accounts`. */
  readonly accountId?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
};

/** Method and path as in the OpenAPI document, for example `GET /oapi/v1/devices/{device_id}`. */
export type OperationName = keyof Operations;

type CommonOptions = {
  readonly accountId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};
export type Options<Name extends OperationName> = Operations[Name]['options'] & CommonOptions;
/** The options may be omitted if the operation requires none. */
export type OptionsOf<Name extends OperationName> =
  Record<never, never> extends Options<Name> ? [options?: Options<Name>] : [options: Options<Name>];
export type Reply<Name extends OperationName> = Operations[Name]['reply'];

export type Exchange<Name extends OperationName> = {
  readonly reply: Reply<Name>;
  readonly status: number;
  /** Send it as `ifMatch`, so that a change made by others in the meantime is not overwritten. */
  readonly etag: string | undefined;
  readonly headers: Headers;
};

export type Client = {
  /** Throws a WeirError if the request fails; an abort by `signal` throws its reason. */
  readonly request: <Name extends OperationName>(name: Name, ...options: OptionsOf<Name>) => Promise<Reply<Name>>;
  /** Like `request`, with status and headers. */
  readonly exchange: <Name extends OperationName>(name: Name, ...options: OptionsOf<Name>) => Promise<Exchange<Name>>;
};

type Parameter = string | number | boolean | readonly (string | number)[] | undefined;
type AnyOptions = CommonOptions & {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

/** A client of the management API; it has no state. */
export function createClient(settings: ClientSettings = {}): Client {
  const exchange: Client['exchange'] = async (name, ...[options]) => {
    const requestOptions = (options ?? {}) as AnyOptions;
    const response = await received(name, requestOptions, () => send(settings, name, requestOptions));
    const { status, headers } = response;
    if (!response.ok) throw failure(name, response, await received(name, requestOptions, () => readError(response)));
    const reply = (await received(name, requestOptions, () => readReply(response))) as Reply<typeof name>;
    return { reply, status, etag: headers.get('etag') ?? undefined, headers };
  };
  return { exchange, request: async (name, ...options) => (await exchange(name, ...options)).reply };
}

/** Failed connections and incomplete responses throw the same error. */
async function received<T>(name: string, { signal }: AnyOptions, receive: () => Promise<T>): Promise<T> {
  try {
    return await receive();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new WeirError(name, { status: 0 }, { cause });
  }
}

function send(settings: ClientSettings, name: string, options: AnyOptions): Promise<Response> {
  const [method = '', path = ''] = name.split(' ');
  const { params = {}, query, body, signal } = options;
  const { baseUrl = '', fetch = globalThis.fetch } = settings;
  const filled = path.replace(/\{(\w+)\}/g, (_, member: string) => encodeURIComponent(params[member] ?? ''));
  return fetch(baseUrl.replace(/\/+$/, '') + filled + queryString(query), {
    method,
    credentials: 'same-origin',
    headers: headersOf(settings, options),
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

/** Files are sent as backups, the only uploads of the API. */
function contentTypeOf(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  return body instanceof Blob ? 'application/x-weir-backup' : 'application/json';
}

function headersOf(
  { apiKey, accessToken, accountId, headers }: ClientSettings,
  options: AnyOptions,
): Record<string, string> {
  const optionalHeaders = {
    authorization: apiKey === undefined ? accessToken && `Bearer ${accessToken}` : `ApiKey ${apiKey}`,
    'content-type': contentTypeOf(options.body),
    'x-account-id': options.accountId ?? accountId,
    'if-match': options.ifMatch,
    'idempotency-key': options.idempotencyKey,
  };
  const present = Object.entries(optionalHeaders).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...headers, ...Object.fromEntries(present) };
}

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('application/json') ?? false;

/** JSON is parsed; other content is the response itself, because it may be a stream. */
async function readReply(response: Response): Promise<unknown> {
  if (isJson(response)) return response.json();
  return response.headers.has('content-type') ? response : undefined;
}

/** Not JSON, for example an error page of a proxy. */
async function readError(response: Response): Promise<ErrorBody> {
  if (isJson(response)) return (await response.json()) as ErrorBody;
  await response.body?.cancel();
  return {};
}

function failure(name: string, { status, headers }: Response, body: ErrorBody): WeirError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new WeirError(name, {
    status,
    body,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isNaN(seconds) ? undefined : seconds,
  });
}

/** `?a=1&b=x&b=y`: lists repeat the name. */
export function queryString(query: Readonly<Record<string, Parameter>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name, String(item)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
