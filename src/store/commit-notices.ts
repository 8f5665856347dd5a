import type { ChangedAccounts } from './database.ts';

export type CommitListener = (changed: ChangedAccounts) => Promise<void> | void;

const AGAIN_MS = 1000;

/**
 * Tells listeners what was changed. What was committed stays so whatever they do: one that fails is told again, of everything
 * that it may have missed, until it succeeds.
 */
export function commitNotices(againMs = AGAIN_MS) {
  const listeners = new Map<CommitListener, NodeJS.Timeout | undefined>();

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

  const forget = (listener: CommitListener): void => {
    clearTimeout(listeners.get(listener));
    listeners.delete(listener);
  };

  return {
    listen: (listener: CommitListener): (() => void) => {
      listeners.set(listener, undefined);
      return () => forget(listener);
    },
    tell: async (changed: ChangedAccounts): Promise<void> => {
      await Promise.all([...listeners.keys()].map((listener) => tellOne(listener, changed)));
    },
    stop: (): void => [...listeners.keys()].forEach(forget),
  };
}
