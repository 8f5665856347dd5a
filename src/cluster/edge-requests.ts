import { setTimeout as sleep } from 'node:timers/promises';
import type { FromDns } from '../dns-server/thread-messages.ts';
import type { ControllerClient } from './controller-client.ts';
import { paths } from './protocol.ts';

const MAX_WAITING = 1000;
const RETRY_MS = 5000;
const MAX_TRIES = 120;
const REQUEST_MS = 2000;
const APPLY_MS = 2000;

type Deps = {
  readonly client: Pick<ControllerClient, 'json'>;
  /** Resolves when the accounts of a revision are applied here. */
  readonly reached: (revision: number, withinMs: number) => Promise<void>;
  readonly onDropped: (request: FromDns) => void;
  readonly retryMs?: number;
};

/**
 * Sends new devices and proven addresses to the controller. A request that fails is retried for ten minutes; the query that
 * caused it is answered without it.
 */
export function edgeRequests({ client, reached, onDropped, retryMs = RETRY_MS }: Deps) {
  const waiting = new Map<string, { readonly request: FromDns; tries: number }>();
  const stopping = new AbortController();

  const send = async (request: FromDns): Promise<boolean> => {
    const sent = await client.json<{ isApplied: boolean; revision: number }>('POST', paths.requests, {
      body: request,
      idleMs: REQUEST_MS,
      signal: stopping.signal,
    });
    if (sent.isApplied) await reached(sent.revision, APPLY_MS);
    return sent.isApplied;
  };

  let isRetrying = false;
  const retry = async (): Promise<void> => {
    while (waiting.size > 0) {
      await sleep(retryMs, undefined, { signal: stopping.signal, ref: false });
      for (const [name, each] of waiting) {
        each.tries += 1;
        try {
          await send(each.request);
          waiting.delete(name);
        } catch {
          if (each.tries < MAX_TRIES) break;
          waiting.delete(name);
          onDropped(each.request);
        }
      }
    }
  };
  const later = (request: FromDns): void => {
    const name = JSON.stringify(request);
    if (!waiting.has(name) && waiting.size >= MAX_WAITING) onDropped(request);
    else if (!waiting.has(name)) waiting.set(name, { request, tries: 0 });
    if (isRetrying) return;
    isRetrying = true;
    retry()
      .catch(() => undefined)
      .finally(() => {
        isRetrying = false;
      });
  };

  return {
    /** Resolves when the directory has the change; false if it is not allowed or cannot be sent now. */
    change: async (request: FromDns): Promise<boolean> => {
      try {
        return await send(request);
      } catch {
        later(request);
        return false;
      }
    },
    waiting: (): number => waiting.size,
    stop: (): void => stopping.abort(),
  };
}
