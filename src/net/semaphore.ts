/** A slot at one origin. A redirect releases it and takes one at the next origin. */
export type Turn = {
  moveTo(origin: string, signal?: AbortSignal): Promise<void>;
  leave(): void;
};

export type TakeTurn = (origin: string, signal?: AbortSignal) => Promise<Turn>;

type Queue = { inside: number; readonly waiting: Set<() => void> };

/** Limits the concurrent downloads per origin to `limit`; the others queue. */
export function turns(limit: number): TakeTurn {
  const queues = new Map<string, Queue>();

  const enter = async (origin: string, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    const queue = queues.get(origin) ?? { inside: 0, waiting: new Set() };
    queues.set(origin, queue);
    if (queue.inside < limit) queue.inside++;
    else await inLine(queue.waiting, signal);
  };

  const exit = (origin: string): void => {
    const queue = queues.get(origin)!;
    const [next] = queue.waiting;
    // The slot passes to the next in the queue without becoming free.
    if (next) {
      queue.waiting.delete(next);
      next();
    } else if (--queue.inside === 0) {
      queues.delete(origin);
    }
  };

  return async (first, signal) => {
    await enter(first, signal);
    let at: string | undefined = first;
    const leave = (): void => {
      if (at !== undefined) exit(at);
      at = undefined;
    };
    return {
      moveTo: async (origin, until) => {
        if (origin === at) return;
        // Released before the next is taken: otherwise two downloads could wait for each other's slots (deadlock).
        leave();
        await enter(origin, until);
        at = origin;
      },
      leave,
    };
  };
}

function inLine(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => {
    waiting.delete(enter);
    reject(signal?.reason);
  };
  const enter = (): void => {
    signal?.removeEventListener('abort', giveUp);
    resolve();
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  waiting.add(enter);
  return promise;
}
