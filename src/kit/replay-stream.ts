/** A stream that every reader receives from the first value on, independent of when it starts. */
export type ReplayStream<T> = AsyncIterable<T> & {
  push(value: T): void;
  /** Ends the stream. */
  close(): void;
};

export function replayStream<T>(): ReplayStream<T> {
  const values: T[] = [];
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const wakeAll = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };

  return {
    push(value) {
      values.push(value);
      wakeAll();
    },
    close() {
      isClosed = true;
      wakeAll();
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; ) {
        while (at < values.length) yield values[at++] as T;
        if (isClosed) return;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
