import type { KeyId } from '../domain/ids.ts';

const WRITE_EVERY_MS = 30_000;

/** When each key was last used, gathered; only the last use of the last half minute can be lost. */
export function keyUses(write: (used: ReadonlyMap<KeyId, number>) => Promise<void>) {
  let used = new Map<KeyId, number>();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const these = used;
    used = new Map();
    try {
      await write(these);
    } catch {
      // The store says what is wrong with it to everybody who asks. These wait for the next time, unless used again since.
      used = new Map([...these, ...used]);
    }
  };

  const timer = setInterval(() => void flush(), WRITE_EVERY_MS);
  timer.unref();
  return {
    add: (key: KeyId, at: number): void => void used.set(key, at),
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
