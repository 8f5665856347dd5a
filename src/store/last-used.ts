/** When each of something was last used, gathered; only the last use since the last writing can be lost. */
export function lastUses<Id>(everyMs: number, write: (used: ReadonlyMap<Id, number>) => Promise<void>) {
  let used = new Map<Id, number>();
  let written = new Map<Id, number>();

  const flush = async (): Promise<void> => {
    const these = used;
    // Known until the next time: whoever has just read the row may have read it before it was written.
    written = these;
    if (these.size === 0) return;
    used = new Map();
    try {
      await write(these);
    } catch {
      // The store says what is wrong with it to everybody who asks. These wait for the next time, unless used again since.
      used = new Map([...these, ...used]);
    }
  };

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    add: (id: Id, at: number): void => void used.set(id, at),
    /** The last use, where it is so new that the store may not know of it. */
    latest: (id: Id): number | undefined => used.get(id) ?? written.get(id),
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
