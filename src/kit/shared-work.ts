/** One's part in work that others may be waiting for, too. */
export type Share<T> = {
  readonly work: T;
  /** Whether somebody else had started it. */
  readonly shared: boolean;
  /** To wait no longer. When nobody waits any more, the work is stopped. */
  readonly leave: () => void;
};

type Underway<T> = { readonly work: T; readonly stop: AbortController; waiting: number };

/**
 * Those who ask for the same key while it is being worked on share one working. It does not belong to whoever was
 * first: it goes on until the last of them has left.
 */
export function sharedWork<T>(isOver: (work: T) => Promise<unknown>) {
  const underway = new Map<string, Underway<T>>();

  return (key: string, start: (signal: AbortSignal) => T): Share<T> => {
    const found = underway.get(key);
    const one = found ?? begin(key, start);
    one.waiting++;
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      one.waiting--;
      if (one.waiting > 0) return;
      forget(key, one);
      one.stop.abort();
    };
    return { work: one.work, shared: found !== undefined, leave };
  };

  function begin(key: string, start: (signal: AbortSignal) => T): Underway<T> {
    const stop = new AbortController();
    const one: Underway<T> = { work: start(stop.signal), stop, waiting: 0 };
    underway.set(key, one);
    const over = (): void => forget(key, one);
    isOver(one.work).then(over, over);
    return one;
  }

  function forget(key: string, one: Underway<T>): void {
    if (underway.get(key) === one) underway.delete(key);
  }
}
