import { Worker } from 'node:worker_threads';

export type PoolSettings = {
  readonly file: URL;
  readonly workerData: unknown;
  readonly size: number;
  /** Workers that one client may use at a time; all of them unless set. */
  readonly maxPerClient?: number;
  readonly memoryBytes: number;
  readonly timeLimitMs: number;
  /** How long a worker waits for the next job before it ends. */
  readonly idleMs?: number;
  /** A worker has ended; its memory is free. */
  readonly onEnded?: () => void;
  /** Jobs that may wait for a free worker. */
  readonly maxWaiting: number;
};

/** A message of a worker before its outcome. */
type Said<Message> = { readonly kind: 'said'; readonly message: Message };
/** Time limit of the following step. */
type Allowance = { readonly kind: 'allowance'; readonly ms: number };
/** `isSpent`: the worker holds so much memory that a new one is cheaper. */
type Done<Outcome> = {
  readonly kind: 'done';
  readonly outcome: Outcome;
  readonly cpuMs: number;
  readonly isSpent: boolean;
};
export type FromWorker<Message, Outcome> = Said<Message> | Allowance | Done<Outcome>;
export type ToWorker<Job> = { readonly kind: 'job'; readonly job: Job } | { readonly kind: 'stop' };

/** Why a job has no outcome. */
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

type Running<Message, Outcome> = {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly onMessage: (message: Message) => void;
  /** Memory of the job that is moved to the worker instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  readonly resolve: (result: { outcome: Outcome; cpuMs: number }) => void;
  readonly reject: (lost: JobLost) => void;
};
type Waiting<Job, Message, Outcome> = Running<Message, Outcome> & { readonly job: Job; readonly begun: () => void };

const STOP_PATIENCE_MS = 500;
const IDLE_MS = 30_000;

/**
 * Runs jobs in threads, one job per thread: a crash affects one job only. The client with the fewest running jobs is
 * served first, so that a hundred jobs of one client do not delay others.
 */
export function createWorkerPool<Job, Message, Outcome>(settings: PoolSettings) {
  const idle: { worker: Worker; leaves: NodeJS.Timeout }[] = [];
  const waiting: Waiting<Job, Message, Outcome>[] = [];
  const runningOf = new Map<string, number>();
  const workers = new Set<Worker>();
  let running = 0;
  let isClosed = false;

  function run(
    job: Job,
    options: Pick<Running<Message, Outcome>, 'client' | 'signal' | 'onMessage' | 'transfer'>,
  ): Promise<{ outcome: Outcome; cpuMs: number }> {
    return new Promise((resolve, reject) => {
      if (isClosed || options.signal.aborted) return reject(new JobLost('stopped'));
      if (waiting.length >= settings.maxWaiting) return reject(new JobLost('too many waiting'));
      const giveUp = (): void => giveUpWaiting(one);
      // A signal may outlive thousands of jobs: it must not reference them.
      const begun = (): void => options.signal.removeEventListener('abort', giveUp);
      const one = { job, resolve, reject, begun, ...options };
      waiting.push(one);
      options.signal.addEventListener('abort', giveUp, { once: true });
      serve();
    });
  }

  function giveUpWaiting(one: Waiting<Job, Message, Outcome>): void {
    const at = waiting.indexOf(one);
    if (at === -1) return;
    waiting.splice(at, 1);
    one.reject(new JobLost('stopped'));
  }

  function serve(): void {
    while (running < settings.size) {
      const next = takeNext();
      if (!next) return;
      next.begun();
      const worker = takeIdle() ?? startOrLose(next);
      if (!worker) continue;
      count(next.client, 1);
      const over = (isReusable: boolean): void => {
        count(next.client, -1);
        if (isReusable && !isClosed) keepIdle(worker);
        else void worker.terminate();
        serve();
      };
      attend(worker, next, settings.timeLimitMs, { over, isClosed: () => isClosed });
    }
  }

  /** The first job of the client with the fewest running jobs. */
  function takeNext(): Waiting<Job, Message, Outcome> | undefined {
    let fewest = settings.maxPerClient ?? Infinity;
    let best: number | undefined;
    for (const [at, { client }] of waiting.entries()) {
      const count = runningOf.get(client) ?? 0;
      if (count < fewest) [fewest, best] = [count, at];
    }
    return best === undefined ? undefined : waiting.splice(best, 1)[0];
  }

  function count(client: string, change: 1 | -1): void {
    running += change;
    const left = (runningOf.get(client) ?? 0) + change;
    if (left === 0) runningOf.delete(client);
    else runningOf.set(client, left);
  }

  /** If the system cannot start another thread, only this job fails. */
  function startOrLose({ reject }: Pick<Running<Message, Outcome>, 'reject'>): Worker | undefined {
    try {
      return startWorker();
    } catch (error) {
      reject(new JobLost('crashed', error));
      return undefined;
    }
  }

  function startWorker(): Worker {
    const worker = new Worker(settings.file, {
      workerData: settings.workerData,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(settings.memoryBytes / 2 ** 20) },
    });
    workers.add(worker);
    worker.once('exit', () => {
      workers.delete(worker);
      leaveIdle(worker);
      settings.onEnded?.();
    });
    // The error is reported to the worker's job; an idle worker that dies is only discarded.
    worker.on('error', () => {});
    return worker;
  }

  function takeIdle(): Worker | undefined {
    const idleWorker = idle.pop();
    clearTimeout(idleWorker?.leaves);
    return idleWorker?.worker;
  }

  function keepIdle(worker: Worker): void {
    idle.push({ worker, leaves: setTimeout(() => leaveIdle(worker), settings.idleMs ?? IDLE_MS).unref() });
  }

  function leaveIdle(worker: Worker): void {
    const at = idle.findIndex((one) => one.worker === worker);
    if (at === -1) return;
    clearTimeout(idle.splice(at, 1)[0]!.leaves);
    void worker.terminate();
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const one of waiting.splice(0)) one.reject(new JobLost('stopped'));
    for (const { leaves } of idle.splice(0)) clearTimeout(leaves);
    await Promise.all([...workers].map((worker) => worker.terminate()));
  }

  return { run, close, stats: () => ({ running, waiting: waiting.length, threads: workers.size }) };
}

/** Follows one job in its worker until it ends. */
function attend<Job, Message, Outcome>(
  worker: Worker,
  { job, transfer = [], signal, onMessage, resolve, reject }: Waiting<Job, Message, Outcome>,
  timeLimitMs: number,
  { over, isClosed }: { over: (isReusable: boolean) => void; isClosed: () => boolean },
): void {
  let allowance: NodeJS.Timeout | undefined;
  const timeLimit = setTimeout(() => lose('out of time'), timeLimitMs);
  let patience: NodeJS.Timeout | undefined;

  const leave = (isReusable: boolean): void => {
    for (const timer of [allowance, timeLimit, patience]) clearTimeout(timer);
    worker.off('message', hear).off('error', crash).off('exit', exit);
    signal.removeEventListener('abort', stop);
    over(isReusable);
  };
  const lose = (why: Lost, cause?: unknown): void => {
    leave(false);
    reject(new JobLost(why, cause));
  };
  const hear = (message: FromWorker<Message, Outcome>): void => {
    clearTimeout(allowance);
    switch (message.kind) {
      case 'said':
        onMessage(message.message);
        return;
      case 'allowance':
        if (message.ms > 0) allowance = setTimeout(() => lose('patterns out of time'), message.ms);
        return;
      case 'done':
        leave(!message.isSpent && !signal.aborted);
        resolve({ outcome: message.outcome, cpuMs: message.cpuMs });
    }
  };
  const crash = (error: Error): void =>
    lose('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'crashed', error);
  const exit = (): void => lose(isClosed() ? 'stopped' : 'crashed');
  const stop = (): void => {
    worker.postMessage({ kind: 'stop' } satisfies ToWorker<Job>);
    // A busy worker does not read messages.
    patience = setTimeout(() => lose('stopped'), STOP_PATIENCE_MS);
  };

  worker.on('message', hear).on('error', crash).on('exit', exit);
  signal.addEventListener('abort', stop, { once: true });
  worker.postMessage({ kind: 'job', job } satisfies ToWorker<Job>, transfer);
}
