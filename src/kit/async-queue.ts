/** Async queue with many producers and one consumer. */
export type AsyncQueue<T> = AsyncIterable<T> & {
  push(value: T): void;
  /** Ends the queue, or fails it with an error. */
  close(error?: unknown): void;
};

export function asyncQueue<T>(): AsyncQueue<T> {
  const waiting: T[] = [];
  let closed = false;
  let failure: { error: unknown } | undefined;
  let wake = (): void => {};

  return {
    push(value) {
      waiting.push(value);
      wake();
    },
    close(error) {
      closed = true;
      if (error !== undefined) failure = { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as T;
        if (failure) throw failure.error;
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
