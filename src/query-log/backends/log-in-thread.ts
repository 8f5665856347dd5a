import { Worker } from 'node:worker_threads';
import { threadFile } from '../../platform/thread-file.ts';
import { LogError, type LogStore } from '../log-store.ts';
import { type EncodedBatch, toLogStore } from '../query-log.ts';
import { errorOf, type LogCall, type LogReply, logByCalls } from './log-calls.ts';

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void };

// The same from its source and from a bundle: see the entries of the build.
const file = threadFile('query-log/backends/log-worker');

/** The query log in files of a folder, kept by a thread of its own. */
export const logInThread = (folder: string, onProblem: (problem: unknown) => void): LogStore =>
  logInWorker(() => new Worker(file, { workerData: folder }), onProblem).log;

/**
 * A log that another thread keeps. Records that come while others are being written wait and go together. Should the
 * thread be lost, what it was asked fails and the next call starts another.
 */
export function logInWorker(newThread: () => Worker, onProblem: (problem: unknown) => void) {
  const asked = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  let isWriting = false;
  let next: { records: EncodedBatch[]; waiting: Waiting[] } = { records: [], waiting: [] };

  const lose = (cause: unknown): void => {
    worker = undefined;
    const lost = [...asked.values()];
    asked.clear();
    for (const { reject } of lost) reject(new LogError(isClosed ? 'closed' : 'unavailable', cause));
  };
  const start = (): Worker => {
    const thread = newThread();
    thread.on('message', (reply: LogReply) => {
      if (reply.kind === 'problem') return onProblem(errorOf(reply.failure));
      // Threads that keep more than a log say other things as well.
      if (reply.kind !== 'done' && reply.kind !== 'failed') return;
      const waiting = asked.get(reply.id);
      asked.delete(reply.id);
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
      asked.set(lastId, { resolve, reject });
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
      // What was appended before is there for whatever is asked after.
      writeNext();
      if (name === 'close') isClosed = true;
      return post(name, given);
    }),
  );
  return {
    log,
    /** What the thread answers beside the log. */
    ask: (name: string, given: readonly unknown[]): Promise<unknown> =>
      isClosed ? Promise.reject(new LogError('closed')) : post(name, given),
  };
}
