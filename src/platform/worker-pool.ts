import type { MessagePort, Transferable } from 'node:worker_threads';
import { JobLost, type JobThread, type Lost, startJobThread, type ThreadSettings } from './job-thread.ts';
import { createRpc, moving } from './worker-rpc.ts';

export type PoolSettings = ThreadSettings & {
  readonly size: number;
  /** Maximum number of workers per client; default: all. */
  readonly maxPerClient?: number;
  readonly timeLimitMs: number;
  /** Idle time after which a worker ends. */
  readonly idleMs?: number;
  /** Maximum number of jobs that wait for a free worker. */
  readonly maxWaiting: number;
};

/** Sent by a worker before its outcome. */
type JobEvent<Message> =
  | { readonly kind: 'message'; readonly message: Message }
  /** Time limit of the following step; 0 ends it. */
  | { readonly kind: 'step limit'; readonly ms: number };

/** `isSpent`: the worker uses so much memory that a new one is cheaper. */
type Done<Outcome> = { readonly outcome: Outcome; readonly cpuMs: number; readonly isSpent: boolean };

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

const STOP_TIMEOUT_MS = 500;
const IDLE_MS = 30_000;

/**
 * Runs jobs in threads, one job per thread: a crash affects one job only. The client with the fewest running jobs is
 * served first, so that a hundred jobs of one client do not delay others.
 */
export function createWorkerPool<Job, Message, Outcome>(settings: PoolSettings) {
  const idle: { worker: JobThread<Job>; leaves: NodeJS.Timeout }[] = [];
  const waiting: Waiting<Job, Message, Outcome>[] = [];
  const runningOf = new Map<string, number>();
  const workers = new Set<JobThread<Job>>();
  let running = 0;
  /** Calls of `expectJob` that have not ended. */
  let expected = 0;
  let isClosed = false;

  function run(
    job: Job,
    options: Pick<Running<Message, Outcome>, 'client' | 'signal' | 'onMessage' | 'transfer'>,
  ): Promise<{ outcome: Outcome; cpuMs: number }> {
    return new Promise((resolve, reject) => {
      if (isClosed || options.signal.aborted) return reject(new JobLost('stopped'));
      if (waiting.length >= settings.maxWaiting) return reject(new JobLost('too many waiting'));
      const giveUp = (): void => giveUpWaiting(one);
      // A signal may outlive thousands of jobs and must not reference them.
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
      if (!next) break;
      next.begun();
      const worker = takeIdle() ?? startOrLose(next);
      if (!worker) continue;
      count(next.client, 1);
      const over = (isReusable: boolean): void => {
        count(next.client, -1);
        if (isReusable && !isClosed) keepIdle(worker);
        else void worker.end();
        serve();
      };
      superviseJob(worker, next, settings.timeLimitMs, { over, isClosed: () => isClosed });
    }
    keepOneReady();
  }

  /** Announces a job: keeps an idle thread ready, if the size of the pool allows, until the returned function is called. */
  function expectJob(): () => void {
    expected++;
    keepOneReady();
    return () => void expected--;
  }

  function keepOneReady(): void {
    if (expected === 0 || isClosed || idle.length > 0 || running >= settings.size) return;
    // Errors are ignored here and reported by the job that needs the thread.
    const worker = startOrLose({ reject: () => {} });
    if (worker) keepIdle(worker);
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
  function startOrLose({ reject }: Pick<Running<Message, Outcome>, 'reject'>): JobThread<Job> | undefined {
    try {
      return startWorker();
    } catch (error) {
      reject(new JobLost('crashed', error));
      return undefined;
    }
  }

  function startWorker(): JobThread<Job> {
    const worker = startJobThread<Job>(settings);
    workers.add(worker);
    worker.onExit(() => {
      workers.delete(worker);
      leaveIdle(worker);
    });
    return worker;
  }

  function takeIdle(): JobThread<Job> | undefined {
    const idleWorker = idle.pop();
    clearTimeout(idleWorker?.leaves);
    return idleWorker?.worker;
  }

  function keepIdle(worker: JobThread<Job>): void {
    idle.push({ worker, leaves: setTimeout(() => hasIdled(worker), settings.idleMs ?? IDLE_MS).unref() });
  }

  function hasIdled(worker: JobThread<Job>): void {
    const isLastReady = expected > 0 && idle.length === 1;
    if (!isLastReady) leaveIdle(worker);
    else idle[0]!.leaves.refresh();
  }

  function leaveIdle(worker: JobThread<Job>): void {
    const at = idle.findIndex((one) => one.worker === worker);
    if (at === -1) return;
    clearTimeout(idle.splice(at, 1)[0]!.leaves);
    void worker.end();
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const one of waiting.splice(0)) one.reject(new JobLost('stopped'));
    for (const { leaves } of idle.splice(0)) clearTimeout(leaves);
    await Promise.all([...workers].map((worker) => worker.end()));
  }

  return { run, expectJob, close, stats: () => ({ running, waiting: waiting.length, threads: workers.size }) };
}

/** Follows one job in its worker until it ends. */
function superviseJob<Job, Message, Outcome>(
  worker: JobThread<Job>,
  { job, transfer = [], signal, onMessage, resolve, reject }: Waiting<Job, Message, Outcome>,
  timeLimitMs: number,
  { over, isClosed }: { over: (isReusable: boolean) => void; isClosed: () => boolean },
): void {
  let isOver = false;
  let stepLimit: NodeJS.Timeout | undefined;
  let stopTimer: NodeJS.Timeout | undefined;
  const timeLimit = setTimeout(() => lose('out of time'), timeLimitMs);

  const leave = (isReusable: boolean): void => {
    isOver = true;
    for (const timer of [stepLimit, timeLimit, stopTimer]) clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    over(isReusable);
  };
  const lose = (why: Lost, cause?: unknown): void => {
    if (isOver) return;
    leave(false);
    reject(new JobLost(why, cause));
  };
  const onEvent = (event: JobEvent<Message>): void => {
    if (isOver) return;
    clearTimeout(stepLimit);
    if (event.kind === 'message') onMessage(event.message);
    else if (event.ms > 0) stepLimit = setTimeout(() => lose('patterns out of time'), event.ms);
  };
  const stop = (): void => {
    // A busy worker cannot read the abort message, so it is terminated after a timeout.
    stopTimer = setTimeout(() => lose('stopped'), STOP_TIMEOUT_MS);
  };

  signal.addEventListener('abort', stop, { once: true });
  worker.run<Done<Outcome>, JobEvent<Message>>(job, { transfer, signal, onEvent }).then(
    ({ outcome, cpuMs, isSpent }) => {
      if (isOver) return;
      leave(!isSpent && !signal.aborted);
      resolve({ outcome, cpuMs });
    },
    (error: NodeJS.ErrnoException) => {
      if (isClosed()) lose('stopped');
      else lose(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'crashed', error);
    },
  );
}

/** Passed to the function that runs a job. */
export type JobContext<Message> = {
  readonly signal: AbortSignal;
  readonly send: (message: Message) => void;
  /** Ends the thread if the following step takes longer; 0 after the step. */
  readonly limitStep: (ms: number) => void;
};

type JobResult<Outcome> = {
  readonly outcome: Outcome;
  /** Memory of the outcome that is moved instead of copied. */
  readonly transfer?: readonly Transferable[];
  readonly isSpent?: boolean;
};

/** The thread side of a pool. */
export function servePoolJobs<Job, Message, Outcome>(
  port: MessagePort,
  work: (job: Job, context: JobContext<Message>) => Promise<JobResult<Outcome>> | JobResult<Outcome>,
): void {
  createRpc<never, Job, JobEvent<Message>>(port, async (job, { signal, emit }) => {
    const before = process.threadCpuUsage();
    const {
      outcome,
      transfer = [],
      isSpent = false,
    } = await work(job, {
      signal,
      send: (message) => emit({ kind: 'message', message }),
      limitStep: (ms) => emit({ kind: 'step limit', ms }),
    });
    const { user, system } = process.threadCpuUsage(before);
    return moving({ outcome, cpuMs: (user + system) / 1000, isSpent } satisfies Done<Outcome>, transfer);
  });
}
