import { type MessagePort, type Transferable, Worker } from 'node:worker_threads';
import { JobLost } from './worker-pool.ts';

type Settings = {
  readonly file: URL;
  readonly workerData: unknown;
  readonly memoryBytes: number;
  readonly timeLimitMs: number;
  /** How long the thread waits for the next job before it ends. */
  readonly idleMs: number;
  /** The thread has ended. */
  readonly onEnded?: () => void;
};

type ToThread<Job> =
  | { readonly kind: 'job'; readonly id: number; readonly job: Job }
  | { readonly kind: 'stop'; readonly id: number };
type FromThread<Message, Outcome> =
  | { readonly kind: 'said'; readonly id: number; readonly message: Message }
  | { readonly kind: 'done'; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string };

type Running<Message, Outcome> = {
  readonly onMessage: (message: Message) => void;
  readonly resolve: (outcome: Outcome) => void;
  readonly lose: (lost: JobLost) => void;
};

/**
 * One thread for many jobs that wait for the network. It is started for the first job and ends when it has none. If it dies, all its
 * jobs are lost: work that users can make expensive belongs into a worker pool.
 */
export function openSharedThread<Job, Message, Outcome>(settings: Settings) {
  const running = new Map<number, Running<Message, Outcome>>();
  let thread: Worker | undefined;
  let ending: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;

  function run(
    job: Job,
    { signal, onMessage }: { signal: AbortSignal; onMessage: (message: Message) => void },
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (isClosed || signal.aborted) return reject(new JobLost('stopped'));
      clearTimeout(ending);
      const id = ++lastId;
      const post = (message: ToThread<Job>): void => thread?.postMessage(message);
      const leave = (): void => {
        clearTimeout(timeLimit);
        signal.removeEventListener('abort', stop);
        running.delete(id);
        if (running.size === 0) endWhenIdle();
      };
      const lose = (lost: JobLost): void => {
        leave();
        reject(lost);
      };
      const stop = (): void => {
        post({ kind: 'stop', id });
        lose(new JobLost('stopped'));
      };
      const timeLimit = setTimeout(() => {
        post({ kind: 'stop', id });
        lose(new JobLost('out of time'));
      }, settings.timeLimitMs);
      signal.addEventListener('abort', stop, { once: true });
      running.set(id, {
        onMessage,
        lose,
        resolve: (outcome) => {
          leave();
          resolve(outcome);
        },
      });
      try {
        thread ??= start();
        post({ kind: 'job', id, job });
      } catch (error) {
        lose(new JobLost('crashed', error));
      }
    });
  }

  function start(): Worker {
    const started = new Worker(settings.file, {
      workerData: settings.workerData,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(settings.memoryBytes / 2 ** 20) },
    });
    started.on('message', (message: FromThread<Message, Outcome>) => {
      const one = running.get(message.id);
      // A stopped job may still have messages in flight.
      if (message.kind === 'said') one?.onMessage(message.message);
      else if (message.kind === 'done') one?.resolve(message.outcome);
      else one?.lose(new JobLost('crashed', new Error(message.error)));
    });
    let cause: unknown;
    started.on('error', (error) => {
      cause = error;
    });
    started.once('exit', () => {
      settings.onEnded?.();
      if (thread !== started) return;
      thread = undefined;
      for (const one of running.values()) one.lose(new JobLost(isClosed ? 'stopped' : 'crashed', cause));
    });
    return started;
  }

  function endWhenIdle(): void {
    clearTimeout(ending);
    ending = setTimeout(() => void end(), settings.idleMs).unref();
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    run,
    running: (): number => running.size,
    async close(): Promise<void> {
      isClosed = true;
      for (const one of running.values()) one.lose(new JobLost('stopped'));
      clearTimeout(ending);
      await end();
    },
  };
}

type Working<Message> = { readonly signal: AbortSignal; readonly say: (message: Message) => void };

/** The thread side: runs all jobs concurrently. `transferOf` names memory of the outcome that is moved instead of copied. */
export function serveJobs<Job, Message, Outcome>(
  port: MessagePort,
  work: (job: Job, working: Working<Message>) => Promise<Outcome>,
  transferOf: (outcome: Outcome) => readonly Transferable[],
): void {
  const stops = new Map<number, AbortController>();
  const post = (message: FromThread<Message, Outcome>, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, transfer);

  async function carryOut(id: number, job: Job): Promise<void> {
    const stop = new AbortController();
    stops.set(id, stop);
    try {
      const say = (message: Message): void => post({ kind: 'said', id, message });
      const outcome = await work(job, { signal: stop.signal, say });
      // After a stop the outcome is not read.
      if (!stop.signal.aborted) post({ kind: 'done', id, outcome }, transferOf(outcome));
    } catch (error) {
      post({ kind: 'failed', id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    } finally {
      stops.delete(id);
    }
  }

  port.on('message', (message: ToThread<Job>) => {
    if (message.kind === 'job') void carryOut(message.id, message.job);
    else stops.get(message.id)?.abort();
  });
}
