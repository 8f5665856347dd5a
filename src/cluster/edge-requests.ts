import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FromDns } from '../dns-server/thread-messages.ts';
import { DAY_MS } from '../kit/durations.ts';
import { workLoop } from '../kit/single-flight.ts';
import { type ControllerClient, ControllerError } from './controller-client.ts';
import { paths } from './protocol.ts';
import { openSavedRequests, type SavedRequest } from './saved-requests.ts';

const MAX_WAITING = 1000;
const RETRY_MS = 5000;
const REQUEST_MS = 2000;
const APPLY_MS = 2000;
const BAD_REQUEST = 400;

export type EdgeRequestsDeps = {
  readonly client: Pick<ControllerClient, 'json'>;
  /** Resolves when the accounts of a revision are applied here. */
  readonly reached: (revision: number, withinMs: number) => Promise<void>;
  /** File of pending requests, which survive a restart. */
  readonly file: string;
  readonly onDropped: (request: FromDns) => void;
  readonly onProblem: (problem: unknown) => void;
  readonly now?: () => number;
  readonly retryMs?: number;
};

/**
 * Sends new devices and proven addresses to the controller. A request that fails is retried for a day; the query that caused it is
 * answered without it. The controller applies a request once, even if its answer is lost.
 */
export async function edgeRequests(deps: EdgeRequestsDeps) {
  const { client, reached, onDropped, now = Date.now, retryMs = RETRY_MS } = deps;
  const file = await openSavedRequests(deps.file, deps.onProblem);
  const waiting = new Map(file.requests.map((saved) => [nameOf(saved.request), saved]));
  const stopping = new AbortController();

  const send = async ({ id, request }: SavedRequest): Promise<boolean> => {
    const sent = await client.json<{ isApplied: boolean; revision: number }>('POST', paths.requests, {
      body: { ...request, id },
      idleMs: REQUEST_MS,
      signal: stopping.signal,
    });
    if (sent.isApplied) await reached(sent.revision, APPLY_MS);
    return sent.isApplied;
  };

  const remove = (saved: SavedRequest, isDropped = false): void => {
    waiting.delete(nameOf(saved.request));
    file.save([...waiting.values()]);
    if (isDropped) onDropped(saved.request);
  };

  /** Sends the pending requests, oldest first, until one fails. Invalid requests are dropped. */
  const sendWaiting = async (): Promise<void> => {
    for (const saved of waiting.values()) {
      if (now() - saved.at > DAY_MS) {
        remove(saved, true);
        continue;
      }
      try {
        await send(saved);
        remove(saved);
      } catch (error) {
        if (!isInvalid(error)) return;
        remove(saved, true);
      }
    }
  };

  const retries = workLoop(
    () => waiting.size > 0 && !stopping.signal.aborted,
    async () => {
      await sleep(retryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (!stopping.signal.aborted) await sendWaiting();
    },
  );

  const later = (saved: SavedRequest): void => {
    const name = nameOf(saved.request);
    if (waiting.has(name)) return;
    if (waiting.size >= MAX_WAITING) {
      onDropped(saved.request);
      return;
    }
    waiting.set(name, saved);
    file.save([...waiting.values()]);
    void retries.start();
  };
  void retries.start();

  return {
    /** Resolves when the directory has the change; false if it is not allowed or cannot be sent now. */
    change: async (request: FromDns): Promise<boolean> => {
      const saved = waiting.get(nameOf(request)) ?? { id: randomUUID(), at: now(), request };
      try {
        const isApplied = await send(saved);
        if (waiting.has(nameOf(request))) remove(saved);
        return isApplied;
      } catch (error) {
        if (isInvalid(error)) onDropped(request);
        else later(saved);
        return false;
      }
    },
    waiting: (): number => waiting.size,
    stop: async (): Promise<void> => {
      stopping.abort();
      await retries.ended();
      await file.saved();
    },
  };
}

const nameOf = (request: FromDns): string => JSON.stringify(request);

/** Not retried, because it would be rejected again. */
const isInvalid = (error: unknown): boolean => error instanceof ControllerError && error.status === BAD_REQUEST;
