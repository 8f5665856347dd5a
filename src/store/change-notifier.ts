import type { ChangedAccounts } from './database.ts';

export type CommitListener = (changed: ChangedAccounts) => Promise<void> | void;

/** `behind`: a committed change is not applied yet, because the listener has failed (`error`) or exceeds `afterMs`. */
export type ListenerState = {
  readonly listener: string;
  readonly state: 'behind' | 'current';
  readonly afterMs?: number;
  readonly error?: unknown;
};

export type NoticeOptions = {
  readonly againMs?: number;
  readonly lateMs?: number;
  /** Called once per change of state. */
  readonly onState?: ((state: ListenerState) => void) | undefined;
};

type Entry = {
  readonly name: string;
  readonly call: CommitListener;
  retry?: NodeJS.Timeout;
  /** The number of failures. A retry that succeeds makes up only for those before its start. */
  failures: number;
  isFailing: boolean;
  /** Calls that exceed the limit of time. */
  late: number;
  isBehind: boolean;
};

const AGAIN_MS = 1000;
const LATE_MS = 5000;

/**
 * Tells listeners about changes. A commit is permanent whatever they do: a listener that fails is called again for all accounts
 * until it succeeds. A call that exceeds the limit of time continues, but is not waited for. `areBehind` is true meanwhile.
 */
export function commitNotices({ againMs = AGAIN_MS, lateMs = LATE_MS, onState }: NoticeOptions = {}) {
  const entries = new Set<Entry>();

  const update = (entry: Entry, cause: Pick<ListenerState, 'afterMs' | 'error'>): void => {
    const isBehind = entry.isFailing || entry.late > 0;
    if (isBehind === entry.isBehind || !entries.has(entry)) return;
    entry.isBehind = isBehind;
    onState?.({ listener: entry.name, ...(isBehind ? { state: 'behind', ...cause } : { state: 'current' }) });
  };

  const call = async (entry: Entry, changed: ChangedAccounts, isRetry: boolean): Promise<void> => {
    const { failures } = entry;
    try {
      await entry.call(changed);
      if (isRetry && failures === entry.failures) entry.isFailing = false;
      update(entry, {});
    } catch (error) {
      if (!entries.has(entry)) return;
      entry.failures += 1;
      entry.isFailing = true;
      update(entry, { error });
      clearTimeout(entry.retry);
      entry.retry = setTimeout(() => void call(entry, 'all', true), againMs).unref();
    }
  };

  /** Resolves when the listener is done or has failed, at the latest after the limit of time. */
  const callInTime = async (entry: Entry, changed: ChangedAccounts): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const exceeded = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        entry.late += 1;
        update(entry, { afterMs: lateMs });
        resolve();
      }, lateMs);
    });
    const done = call(entry, changed, false).then(() => {
      clearTimeout(timer);
      if (!isLate) return;
      entry.late -= 1;
      update(entry, {});
    });
    await Promise.race([done, exceeded]);
  };

  const remove = (entry: Entry): void => {
    clearTimeout(entry.retry);
    entries.delete(entry);
  };

  return {
    listen: (listener: CommitListener, name = 'a listener'): (() => void) => {
      const entry: Entry = { name, call: listener, failures: 0, isFailing: false, late: 0, isBehind: false };
      entries.add(entry);
      return () => remove(entry);
    },
    tell: async (changed: ChangedAccounts): Promise<void> => {
      await Promise.all(Array.from(entries, (entry) => callInTime(entry, changed)));
    },
    /** Whether a committed change is not applied by every listener, although its request may have been answered. */
    areBehind: (): boolean => Array.from(entries).some(({ isBehind }) => isBehind),
    stop: (): void => [...entries].forEach(remove),
  };
}
