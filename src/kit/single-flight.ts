/** Single flight: calls with the same key share one running job. After it has ended, the next call starts a new one. */
export function singleFlight<T>() {
  const inFlight = new Map<string, Promise<T>>();
  return {
    run(start: () => Promise<T>, key = ''): Promise<T> {
      const running = inFlight.get(key);
      if (running) return running;
      const job = start().finally(() => inFlight.delete(key));
      inFlight.set(key, job);
      return job;
    },
    running: (key = ''): Promise<T> | undefined => inFlight.get(key),
  };
}

/** Starts one job per key; later calls get its result, including a failure. */
export function oncePerKey<T>() {
  const jobs = new Map<string, Promise<T>>();
  return (key: string, start: () => Promise<T>): Promise<T> => {
    const job = jobs.get(key) ?? start();
    jobs.set(key, job);
    return job;
  };
}

/**
 * Starts a job with the first call; later calls get its result. After a failure, or a result that is not final, the next call restarts it.
 */
export function startOnce<T>(start: () => Promise<T>, isFinal: (result: T) => boolean = () => true) {
  let job: Promise<T> | undefined;
  const begin = (): Promise<T> =>
    start().then(
      (result) => {
        if (!isFinal(result)) job = undefined;
        return result;
      },
      (error: unknown) => {
        job = undefined;
        throw error;
      },
    );
  return {
    run: (): Promise<T> => {
      job ??= begin();
      return job;
    },
    started: (): Promise<T> | undefined => job,
  };
}

/**
 * Repeats a step while there is work. A call during the loop does not start a second one, and work that is added meanwhile is not missed.
 */
export function workLoop(hasWork: () => boolean, step: () => Promise<void>) {
  let running: Promise<void> | undefined;
  const loop = async (): Promise<void> => {
    try {
      while (hasWork()) await step();
    } finally {
      // Reset in the same turn as the last check for work.
      running = undefined;
    }
  };
  return {
    /** Resolves when nothing is left to do. */
    start(): Promise<void> {
      if (!running && hasWork()) running = loop();
      return running ?? Promise.resolve();
    },
    /** Resolves when the loop does not run. */
    ended: (): Promise<void> => running ?? Promise.resolve(),
  };
}

/** One caller's share of a running job. */
export type Share<T> = {
  readonly work: T;
  /** Whether the job was already running. */
  readonly shared: boolean;
  /** Stops waiting. The job is aborted when its last caller leaves. */
  readonly leave: () => void;
};

type RunningJob<T> = { readonly work: T; readonly stop: AbortController; waiting: number };

/**
 * Single flight with cancellation: calls with the same key share one running job. The job is independent of its first caller: it runs until
 * the last caller has left.
 */
export function abortableSingleFlight<T>(isOver: (work: T) => Promise<unknown>) {
  const inFlight = new Map<string, RunningJob<T>>();

  return (key: string, start: (signal: AbortSignal) => T): Share<T> => {
    const existing = inFlight.get(key);
    const one = existing ?? begin(key, start);
    one.waiting++;
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      one.waiting--;
      if (one.waiting > 0) return;
      remove(key, one);
      one.stop.abort();
    };
    return { work: one.work, shared: existing !== undefined, leave };
  };

  function begin(key: string, start: (signal: AbortSignal) => T): RunningJob<T> {
    const stop = new AbortController();
    const one: RunningJob<T> = { work: start(stop.signal), stop, waiting: 0 };
    inFlight.set(key, one);
    const over = (): void => remove(key, one);
    isOver(one.work).then(over, over);
    return one;
  }

  function remove(key: string, one: RunningJob<T>): void {
    if (inFlight.get(key) === one) inFlight.delete(key);
  }
}
