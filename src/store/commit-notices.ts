import type { ChangedAccounts } from './database.ts';

export type CommitListener = (changed: ChangedAccounts) => Promise<void> | void;

const AGAIN_MS = 1000;
const LATE_MS = 5000;

/**
 * Tells listeners about changes. A commit stays whatever they do: a listener that fails is told again, of everything that it may
 * have missed, until it succeeds. One that takes too long is not waited for any longer: `areBehind` says so until it is done.
 */
export function commitNotices(againMs = AGAIN_MS, lateMs = LATE_MS) {
  const listeners = new Map<CommitListener, NodeJS.Timeout | undefined>();
  let late = 0;

  const tellOne = async (listener: CommitListener, changed: ChangedAccounts): Promise<void> => {
    try {
      await listener(changed);
    } catch {
      if (!listeners.has(listener)) return;
      clearTimeout(listeners.get(listener));
      const timer = setTimeout(() => void tellOne(listener, 'all'), againMs);
      timer.unref();
      listeners.set(listener, timer);
    }
  };

  /** Resolves when all is told, or when it has taken too long. */
  const inTime = async (telling: Promise<unknown>): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        late += 1;
        resolve();
      }, lateMs);
    });
    const told = telling.then(() => {
      clearTimeout(timer);
      if (isLate) late -= 1;
    });
    await Promise.race([told, waited]);
  };

  const forget = (listener: CommitListener): void => {
    clearTimeout(listeners.get(listener));
    listeners.delete(listener);
  };

  return {
    listen: (listener: CommitListener): (() => void) => {
      listeners.set(listener, undefined);
      return () => forget(listener);
    },
    tell: (changed: ChangedAccounts): Promise<void> =>
      inTime(Promise.all([...listeners.keys()].map((listener) => tellOne(listener, changed)))),
    /** Whether a listener is still busy with a change whose writer was answered already. */
    areBehind: (): boolean => late > 0,
    stop: (): void => [...listeners.keys()].forEach(forget),
  };
}
