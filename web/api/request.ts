import { ApiError, problemFrom } from './api-error.ts';
import { setSessionExpired } from './auth-state.ts';
import { setReachable, setUnreachable } from './connectivity.ts';

type Parameter = string | number | boolean | readonly string[] | undefined;

export type RequestOptions = {
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sends a request and returns the response body; throws an ApiError if the request fails. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path + queryString(options.query), options);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  if (response.ok) return body as T;
  const problem = problemFrom(response.status, body ?? {}, response.headers.get('retry-after'));
  if (problem.kind === 'signedOut') setSessionExpired();
  throw new ApiError(problem);
}

async function send(method: Method, path: string, { body, signal }: RequestOptions): Promise<Response> {
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      // Session tokens are stored in an HttpOnly cookie, out of reach of scripts.
      headers: { 'session-in': 'cookie', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    setReachable();
    return response;
  } catch (error) {
    // An aborted request does not mean that the service is unreachable.
    if (signal?.aborted) throw error;
    setUnreachable();
    throw new ApiError({ kind: 'unreachable' });
  }
}

/** `?a=1&b=x&b=y`: lists repeat the name. */
export function queryString(query: RequestOptions['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item) => [name, String(item)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
