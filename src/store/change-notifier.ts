import type { ChangedAccounts, ChangeListener } from '../domain/repositories.ts';

/** `behind`: a committed change is not applied yet, because the listener failed (`error`) or exceeds `afterMs`. */
export type ListenerState = {
  readonly listener: string;
  readonly state: 'behind' | 'current';
  readonly afterMs?: number;
  readonly error?: unknown;
};

export type NotifierOptions = {
  readonly retryMs?: number;
  readonly timeoutMs?: number;
  /** Called once per change of state. */
  readonly onState?: ((state: ListenerState) => void) | undefined;
};

type Entry = {
  readonly name: string;
  readonly call: ChangeListener;
  retry?: NodeJS.Timeout;
  /** The accounts of calls that failed. */
  missed: ChangedAccounts;
  /** A successful retry covers only failures that happened before it started. */
  failures: number;
  isFailing: boolean;
  /** Running calls that exceed the timeout. */
  overdue: number;
  isBehind: boolean;
  /** Callers that wait for a successful retry. */
  readonly waiting: Set<() => void>;
};

const RETRY_MS = 1000;
const TIMEOUT_MS = 5000;

/**
 * Calls listeners after a commit. The commit is permanent whatever they do: a listener that fails is called again for the same accounts until
 * it succeeds. A call that exceeds the timeout continues in the background. `areBehind` is true meanwhile.
 */
export function changeNotifier({ retryMs = RETRY_MS, timeoutMs = TIMEOUT_MS, onState }: NotifierOptions = {}) {
  const entries = new Set<Entry>();
  let failed = 0;
  let running = 0;

  const update = (entry: Entry, cause: Pick<ListenerState, 'afterMs' | 'error'>): void => {
    const isBehind = entry.isFailing || entry.overdue > 0;
    if (isBehind === entry.isBehind || !entries.has(entry)) return;
    entry.isBehind = isBehind;
    onState?.({ listener: entry.name, ...(isBehind ? { state: 'behind', ...cause } : { state: 'current' }) });
  };

  const succeeded = (entry: Entry): void => {
    entry.isFailing = false;
    entry.missed = new Set();
    for (const resolve of entry.waiting) resolve();
    entry.waiting.clear();
  };

  /** Resolves to whether the listener succeeded. */
  const call = async (entry: Entry, changed: ChangedAccounts, isRetry: boolean): Promise<boolean> => {
    const { failures } = entry;
    try {
      await entry.call(changed);
      if (isRetry && failures === entry.failures) succeeded(entry);
      update(entry, {});
      return true;
    } catch (error) {
      if (!entries.has(entry)) return true;
      failed += 1;
      entry.failures += 1;
      entry.isFailing = true;
      entry.missed = union(entry.missed, changed);
      update(entry, { error });
      clearTimeout(entry.retry);
      entry.retry = setTimeout(() => void call(entry, entry.missed, true), retryMs).unref();
      return false;
    }
  };

  const retried = (entry: Entry): Promise<void> => new Promise((resolve) => entry.waiting.add(resolve));

  /** Resolves when the listener has applied the change or failed, at the latest after the timeout. */
  const callInTime = async (entry: Entry, changed: ChangedAccounts, waitForRetry: boolean): Promise<boolean> => {
    let isRunning = true;
    let isOverdue = false;
    const timeout = Promise.withResolvers<false>();
    const timer = setTimeout(() => {
      timeout.resolve(false);
      if (!isRunning) return;
      isOverdue = true;
      failed += 1;
      entry.overdue += 1;
      update(entry, { afterMs: timeoutMs });
    }, timeoutMs);
    const done = call(entry, changed, false).then(async (isApplied) => {
      isRunning = false;
      if (isOverdue) {
        entry.overdue -= 1;
        update(entry, {});
      }
      if (!isApplied && waitForRetry && !isOverdue) await retried(entry);
      return isApplied || waitForRetry;
    });
    const isApplied = await Promise.race([done, timeout.promise]);
    clearTimeout(timer);
    return isApplied;
  };

  const remove = (entry: Entry): void => {
    clearTimeout(entry.retry);
    entries.delete(entry);
    succeeded(entry);
  };

  return {
    listen: (listener: ChangeListener, name = 'a listener'): (() => void) => {
      const entry: Entry = {
        name,
        call: listener,
        missed: new Set(),
        failures: 0,
        isFailing: false,
        overdue: 0,
        isBehind: false,
        waiting: new Set(),
      };
      entries.add(entry);
      return () => remove(entry);
    },
    /** Resolves to whether every listener has applied the change. With `waitForRetry` a failed listener has until the timeout to succeed. */
    notify: async (changed: ChangedAccounts, waitForRetry = false): Promise<boolean> => {
      running += 1;
      const calls = Promise.all(Array.from(entries, (entry) => callInTime(entry, changed, waitForRetry)));
      const applied = await calls.finally(() => {
        running -= 1;
      });
      return applied.every(Boolean);
    },
    /** Whether every listener has applied all changes that it was notified of. */
    areDone: (): boolean => running === 0 && !Array.from(entries).some(({ isBehind }) => isBehind),
    /** Whether a committed change is not applied by every listener, although its request may have been answered. */
    areBehind: (): boolean => Array.from(entries).some(({ isBehind }) => isBehind),
    /** Calls that failed or exceeded the timeout. */
    failures: (): number => failed,
    stop: (): void => [...entries].forEach(remove),
  };
}

const union = (one: ChangedAccounts, other: ChangedAccounts): ChangedAccounts =>
  one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other]);
