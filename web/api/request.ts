import { ApiError, problemFrom } from './api-error.ts';
import { noteSignedOut } from './auth-state.ts';
import { noteReached, noteUnreachable } from './connectivity.ts';

type Parameter = string | number | boolean | readonly string[] | undefined;

export type Asking = {
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Asks the service and gives what it answers; throws an ApiError for whatever is no answer. */
export async function request<T>(method: Method, path: string, asking: Asking = {}): Promise<T> {
  const response = await send(method, path + queryText(asking.query), asking);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const answer: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  if (response.ok) return answer as T;
  const problem = problemFrom(response.status, answer ?? {}, response.headers.get('retry-after'));
  if (problem.kind === 'signedOut') noteSignedOut();
  throw new ApiError(problem);
}

async function send(method: Method, path: string, { body, signal }: Asking): Promise<Response> {
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      // Tokens come as a cookie, which no script can read.
      headers: { 'session-in': 'cookie', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    noteReached();
    return response;
  } catch (error) {
    // Whoever gave up asking is told so, and not that nobody answered.
    if (signal?.aborted) throw error;
    noteUnreachable();
    throw new ApiError({ kind: 'unreachable' });
  }
}

/** `?a=1&b=x&b=y`: a list is its name again and again. */
export function queryText(query: Asking['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
