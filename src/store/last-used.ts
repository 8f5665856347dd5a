/** Collects times of last use and writes them at an interval, so that a request does not cause a write. */
export function lastUsed<Id>(
  everyMs: number,
  write: (used: ReadonlyMap<Id, number>) => Promise<void>,
  onError: (error: unknown) => void,
) {
  let used = new Map<Id, number>();
  let written = new Map<Id, number>();

  const flush = async (): Promise<void> => {
    const batch = used;
    // Readable until the next flush: a concurrent reader may have read the row before it was written.
    written = batch;
    if (batch.size === 0) return;
    used = new Map();
    try {
      await write(batch);
    } catch (error) {
      onError(error);
      used = new Map([...batch, ...used]);
    }
  };

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    add: (id: Id, at: number): void => void used.set(id, at),
    /** The last use if it is so recent that the store may not have it. */
    latest: (id: Id): number | undefined => used.get(id) ?? written.get(id),
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
