/** A stream that every reader receives from the first value on, whenever it starts. */
export type Replay<T> = AsyncIterable<T> & {
  push(value: T): void;
  /** Ends the stream. */
  close(): void;
};

export function replay<T>(): Replay<T> {
  const told: T[] = [];
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const wakeAll = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };

  return {
    push(value) {
      told.push(value);
      wakeAll();
    },
    close() {
      isClosed = true;
      wakeAll();
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; ) {
        while (at < told.length) yield told[at++] as T;
        if (isClosed) return;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
