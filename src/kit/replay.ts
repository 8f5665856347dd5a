/** Values that many read, each from the first one on, whenever they come. */
export type Replay<T> = AsyncIterable<T> & {
  push(value: T): void;
  /** No more values. */
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
