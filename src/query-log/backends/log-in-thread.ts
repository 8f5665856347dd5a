import { Worker } from 'node:worker_threads';
import { threadFile } from '../../platform/thread-file.ts';
import { type EncodedBatch, toLogStore } from '../log-engine.ts';
import { LogError, type LogStore } from '../log-store.ts';
import { errorOf, type LogCall, type LogReply, logByCalls } from './log-calls.ts';

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void };

// Works from source and from a bundle: see the entries in scripts/build.ts.
const file = threadFile('query-log/backends/log-worker');

/** The query log in a folder, opened in its own thread. */
export const logInThread = (folder: string, onProblem: (problem: unknown) => void): LogStore =>
  logInWorker(() => new Worker(file, { workerData: folder }), onProblem).log;

/**
 * A log in another thread. Appends that arrive during a write are combined into the next one. If the thread ends,
 * pending calls fail and the next call starts a new thread.
 */
export function logInWorker(newThread: () => Worker, onProblem: (problem: unknown) => void) {
  const pendingCalls = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  let isWriting = false;
  let next: { records: EncodedBatch[]; waiting: Waiting[] } = { records: [], waiting: [] };

  const lose = (cause: unknown): void => {
    worker = undefined;
    const lost = [...pendingCalls.values()];
    pendingCalls.clear();
    for (const { reject } of lost) reject(new LogError(isClosed ? 'closed' : 'unavailable', cause));
  };
  const start = (): Worker => {
    const thread = newThread();
    thread.on('message', (reply: LogReply) => {
      if (reply.kind === 'problem') return onProblem(errorOf(reply.failure));
      // The ingest thread also sends other messages.
      if (reply.kind !== 'done' && reply.kind !== 'failed') return;
      const waiting = pendingCalls.get(reply.id);
      pendingCalls.delete(reply.id);
      if (reply.kind === 'done') waiting?.resolve(reply.value);
      else waiting?.reject(errorOf(reply.failure));
    });
    thread.on('error', (error) => thread === worker && lose(error));
    thread.on('exit', (code) => thread === worker && lose(new Error(`the thread ended with ${code}`)));
    return thread;
  };
  const post = (name: string, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      lastId += 1;
      pendingCalls.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, name, given } satisfies LogCall);
    });
  const writeNext = (): void => {
    if (next.waiting.length === 0) return;
    const { records, waiting } = next;
    next = { records: [], waiting: [] };
    isWriting = true;
    const over = (): void => {
      isWriting = false;
      writeNext();
    };
    post('appendBatches', [records]).then(
      () => {
        for (const { resolve } of waiting) resolve(undefined);
        over();
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
        over();
      },
    );
  };

  const log = toLogStore(
    logByCalls((name, given) => {
      if (isClosed) return Promise.reject(new LogError('closed'));
      if (name === 'appendBatches')
        return new Promise((resolve, reject) => {
          next.records = next.records.concat(given[0] as EncodedBatch[]);
          next.waiting.push({ resolve, reject });
          if (!isWriting) writeNext();
        });
      // Flushes pending appends, so a later call sees them.
      writeNext();
      if (name === 'close') isClosed = true;
      return post(name, given);
    }),
  );
  return {
    log,
    /** Calls of the thread that are not part of `LogStore`. */
    ask: (name: string, given: readonly unknown[]): Promise<unknown> =>
      isClosed ? Promise.reject(new LogError('closed')) : post(name, given),
  };
}
