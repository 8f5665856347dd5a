/** Values pushed by many, read by one in the order they came. */
export type Channel<T> = AsyncIterable<T> & {
  push(value: T): void;
  /** No more values; a reader that waits is told so, or the error. */
  close(error?: unknown): void;
};

export function channel<T>(): Channel<T> {
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
