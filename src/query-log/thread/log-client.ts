import { Worker } from 'node:worker_threads';
import { threadFile } from '../../platform/thread-file.ts';
import { createRpc, onThreadEnd } from '../../platform/worker-rpc.ts';
import { type EncodedBatch, toLogStore } from '../log-engine.ts';
import { LogError, type LogStore } from '../log-store.ts';
import { asLogError, type LogCall, logByCalls, type ProblemMessage, problemOf } from './log-calls.ts';

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void };

// Exists in the sources and in the bundle: see the entries in scripts/build.ts.
const file = threadFile('query-log/thread/log-worker');

/** The query log in a folder, opened in its own thread. */
export const openLogInThread = (folder: string, onProblem: (problem: unknown) => void): LogStore =>
  logClient(() => new Worker(file, { workerData: folder }), onProblem).log;

/**
 * A log in another thread. Appends that arrive during a write are combined into the next one. If the thread ends,
 * pending calls fail and the next call starts a new thread. Messages of the thread other than problems go to `onMessage`.
 */
export function logClient<Message extends { readonly kind: string } = never>(
  newThread: () => Worker,
  onProblem: (problem: unknown) => void,
  onMessage: (message: Message) => void = () => {},
) {
  let thread: ReturnType<typeof start> | undefined;
  let isClosed = false;
  let isWriting = false;
  let next: { records: EncodedBatch[]; waiting: Waiting[] } = { records: [], waiting: [] };

  const start = () => {
    const worker = newThread();
    const started = createRpc<LogCall, never>(
      worker,
      () => undefined,
      (message) => {
        const received = message as ProblemMessage | Message;
        if (received.kind === 'problem') onProblem(problemOf(received as ProblemMessage));
        else onMessage(received as Message);
      },
    );
    onThreadEnd(worker, (cause) => {
      if (thread === started) thread = undefined;
      started.lost(new LogError(isClosed ? 'closed' : 'unavailable', cause));
    });
    return started;
  };
  const post = (name: string, args: readonly unknown[]): Promise<unknown> => {
    thread ??= start();
    return thread.call<unknown>({ name, args }).catch((error: Error) => {
      throw asLogError(error);
    });
  };
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
    logByCalls((name, args) => {
      if (isClosed) return Promise.reject(new LogError('closed'));
      if (name === 'appendBatches')
        return new Promise((resolve, reject) => {
          next.records = next.records.concat(args[0] as EncodedBatch[]);
          next.waiting.push({ resolve, reject });
          if (!isWriting) writeNext();
        });
      // Flushes pending appends, so a later call sees them.
      writeNext();
      if (name === 'close') isClosed = true;
      return post(name, args);
    }),
  );
  return {
    log,
    /** Calls of the thread that are not part of `LogStore`. */
    ask: (name: string, args: readonly unknown[]): Promise<unknown> =>
      isClosed ? Promise.reject(new LogError('closed')) : post(name, args),
  };
}
