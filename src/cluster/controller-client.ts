import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { headers, PROTOCOL } from './protocol.ts';

const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** A failed request to the controller. `status`: HTTP status, if there was a response. */
export class ControllerError extends Error {
  override readonly name = 'ControllerError';
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

type Sending = {
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** Maximum time without received data. */
  readonly idleMs?: number;
};

export type ControllerClient = ReturnType<typeof controllerClient>;

const IDLE_MS = 15_000;
const MAX_MESSAGE = 500;

export function controllerClient({ url, key }: { readonly url: string; readonly key: string }) {
  const base = url.endsWith('/') ? url : `${url}/`;
  const locate = (path: string): URL => new URL(path.replace(/^\//, ''), base);

  /** Resolves to a successful response. */
  const open = async (method: 'GET' | 'POST', path: string, sending: Sending = {}): Promise<IncomingMessage> => {
    const { body, signal, idleMs = IDLE_MS } = sending;
    const target = locate(path);
    const answered = Promise.withResolvers<IncomingMessage>();
    const request = (target.protocol === 'https:' ? https : http).request(target, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        [headers.protocol]: PROTOCOL,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(signal && { signal }),
    });
    request.setTimeout(idleMs, () => request.destroy(new Error(`no answer within ${idleMs / 1000} s`)));
    request.on('response', answered.resolve);
    request.on('error', (error) =>
      answered.reject(
        new ControllerError(`the controller cannot be reached at ${target.origin}: ${error.message}`, { cause: error }),
      ),
    );
    request.end(body && JSON.stringify(body));
    const response = await answered.promise;
    if (response.statusCode === 200) return response;
    throw await refusal(response);
  };

  return {
    open,
    locate,
    json: async <T>(method: 'GET' | 'POST', path: string, sending: Sending = {}): Promise<T> => {
      const response = await open(method, path, sending);
      return JSON.parse(await readText(response)) as T;
    },
  };
}

async function refusal(response: IncomingMessage): Promise<ControllerError> {
  const status = response.statusCode ?? 0;
  const text = (await readText(response).catch(() => '')).slice(0, MAX_MESSAGE);
  if (status === 401) return new ControllerError('the controller does not accept the node key', { status });
  if (status === 426) return new ControllerError(`the controller is of another version: ${errorIn(text)}`, { status });
  return new ControllerError(`the controller answered with status ${status}: ${errorIn(text)}`, { status });
}

function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : text;
  } catch {
    return text;
  }
}
