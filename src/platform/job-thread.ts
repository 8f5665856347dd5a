import { Worker } from 'node:worker_threads';
import { createRpc, onThreadEnd } from './worker-rpc.ts';

export type ThreadSettings = {
  readonly file: URL;
  readonly workerData: unknown;
  /** Heap limit of the thread. */
  readonly memoryBytes: number;
  /** Called when a thread has ended and its memory is free. */
  readonly onEnded?: () => void;
};

/** Reason why a job has no outcome. */
export type Lost =
  | 'too many waiting'
  | 'out of memory'
  | 'out of time'
  | 'patterns out of time'
  | 'stopped'
  | 'crashed';

export class JobLost extends Error {
  override readonly name = 'JobLost';
  readonly why: Lost;

  constructor(why: Lost, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause });
    this.why = why;
  }
}

export type JobThread<Job> = ReturnType<typeof startJobThread<Job>>;

/** Starts a thread that answers each request with the outcome of a job. Its jobs fail when it ends. */
export function startJobThread<Job>({ file, workerData, memoryBytes, onEnded }: ThreadSettings) {
  const worker = new Worker(file, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
  });
  const { call, lost } = createRpc<Job, never>(worker, () => undefined);
  onThreadEnd(worker, lost);
  worker.once('exit', () => onEnded?.());
  return {
    run: call,
    onExit: (listener: () => void): unknown => worker.once('exit', listener),
    end: (): Promise<unknown> => worker.terminate(),
  };
}
