import { JobLost, type JobThread, startJobThread, type ThreadSettings } from './job-thread.ts';

type Settings = ThreadSettings & {
  readonly timeLimitMs: number;
  /** Idle time after which the thread ends. */
  readonly idleMs: number;
};

/**
 * One thread for many network-bound jobs. It is started for the first job and ends when it is idle. If it dies, all its jobs are lost, so
 * jobs that users can make expensive belong in a worker pool.
 */
export function openSharedThread<Job, Message, Outcome>(settings: Settings) {
  const running = new Set<(lost: JobLost) => void>();
  let thread: JobThread<Job> | undefined;
  let ending: NodeJS.Timeout | undefined;
  let isClosed = false;

  function run(
    job: Job,
    { signal, onMessage }: { signal: AbortSignal; onMessage: (message: Message) => void },
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (isClosed || signal.aborted) return reject(new JobLost('stopped'));
      clearTimeout(ending);
      const giveUp = new AbortController();
      const leave = (): void => {
        clearTimeout(timeLimit);
        signal.removeEventListener('abort', stop);
        running.delete(lose);
        if (running.size === 0) endWhenIdle();
      };
      const lose = (lost: JobLost): void => {
        if (!running.has(lose)) return;
        leave();
        giveUp.abort();
        reject(lost);
      };
      const stop = (): void => lose(new JobLost('stopped'));
      const timeLimit = setTimeout(() => lose(new JobLost('out of time')), settings.timeLimitMs);
      signal.addEventListener('abort', stop, { once: true });
      running.add(lose);
      // A stopped job may still have messages in flight.
      const onEvent = (message: Message): void => void (running.has(lose) && onMessage(message));
      const done = (outcome: Outcome): void => {
        if (running.has(lose)) leave();
        resolve(outcome);
      };
      try {
        thread ??= start();
        thread
          .run<Outcome, Message>(job, { signal: giveUp.signal, onEvent })
          .then(done, (error) => lose(new JobLost(isClosed ? 'stopped' : 'crashed', error)));
      } catch (error) {
        lose(new JobLost('crashed', error));
      }
    });
  }

  function start(): JobThread<Job> {
    const started = startJobThread<Job>(settings);
    started.onExit(() => {
      if (thread === started) thread = undefined;
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
    await ended?.end();
  }

  return {
    run,
    running: (): number => running.size,
    async close(): Promise<void> {
      isClosed = true;
      for (const lose of running) lose(new JobLost('stopped'));
      clearTimeout(ending);
      await end();
    },
  };
}
