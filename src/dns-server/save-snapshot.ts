import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedBlock } from './account-blocks.ts';
import type { SentAccounts } from './directory-feed.ts';
import { type SnapshotFiles, type WrittenSnapshot, writeSnapshot } from './directory-snapshot.ts';
import { type AccountChange, appendChanges, changesPath, startChanges } from './snapshot-changes.ts';

const SOON_MS = 1000;
const AGAIN_MS = 60_000;
// Pause after writing all accounts, in multiples of its duration: at most a twentieth of the time is spent on it.
const TIMES_ITS_LENGTH = 20;
// Time limit for writing all accounts when the service stops.
const STOP_MS = 1500;
/** Changes are merged into the snapshot when they are larger than this part of it, and than a minimum. */
const MERGE_SHARE = 0.5;
const MERGE_MIN_BYTES = 4 * 2 ** 20;

export type SnapshotWriterOptions = {
  readonly path: string;
  readonly allAccounts: () => AsyncIterable<FeedBlock>;
  /** The newest change up to which all changed accounts were reported; undefined while it is not known. */
  readonly position: () => string | undefined;
  /** The files of the last run, if they are continued. */
  readonly files?: SnapshotFiles | undefined;
  readonly onProblem: (problem: unknown) => void;
  readonly soonMs?: number;
  readonly stopMs?: number;
};

/**
 * Keeps the snapshot current: changed accounts are appended soon after the change, and all accounts are written again in the
 * background when there are many changes. A failure is reported and retried.
 */
export function snapshotWriter(options: SnapshotWriterOptions) {
  const { path, allAccounts, position, files, onProblem, soonMs = SOON_MS, stopMs = STOP_MS } = options;
  const changes = changesPath(path);
  const stopping = new AbortController();
  const pending = new Map<string, AccountChange>();
  let base: WrittenSnapshot | undefined = files;
  let changedBytes = files?.changedBytes ?? 0;
  let mustWriteAll = false;
  let tookMs = 0;
  let wroteAllAt = 0;
  let mayWriteAllAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let underway: Promise<void> = Promise.resolve();

  const isAllDue = (): boolean =>
    mustWriteAll || changedBytes > Math.max(MERGE_MIN_BYTES, (base?.bytes ?? 0) * MERGE_SHARE);

  const writeAll = async (): Promise<void> => {
    const begun = performance.now();
    mustWriteAll = false;
    try {
      // The position is taken before the accounts are read: they include its change.
      const head = { takenAt: Date.now(), position: position() };
      base = await writeSnapshot(path, head, untilStopped(allAccounts(), stopping.signal));
      await startChanges(changes, base.sum);
      changedBytes = 0;
      tookMs = performance.now() - begun;
      wroteAllAt = performance.now();
      mayWriteAllAt = wroteAllAt + tookMs * TIMES_ITS_LENGTH;
    } catch (error) {
      mustWriteAll = true;
      throw error;
    }
  };

  const append = async (): Promise<void> => {
    const some = [...pending.values()];
    if (some.length === 0 || !base) return;
    pending.clear();
    // Until all accounts are written, changes before the position may be missing from the files.
    const last = some.pop()!;
    some.push({ ...last, position: mustWriteAll ? undefined : position() });
    try {
      changedBytes += await appendChanges(changes, some);
    } catch (error) {
      mustWriteAll = true;
      throw error;
    }
  };

  const write = (mayWriteAll: () => boolean): void => {
    clearTimeout(timer);
    dueAt = Infinity;
    underway = underway.then(async () => {
      try {
        await append();
        if (isAllDue() && mayWriteAll()) await writeAll();
        // Accounts that changed meanwhile may have been read before.
        await append();
        if (isAllDue()) after(mayWriteAllAt - performance.now());
      } catch (error) {
        if (stopping.signal.aborted) return;
        onProblem(error);
        after(AGAIN_MS);
      }
    });
  };
  const after = (ms: number): void => {
    const at = performance.now() + Math.max(soonMs, ms);
    if (at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => write(() => performance.now() >= mayWriteAllAt), at - performance.now()).unref();
  };

  return {
    changed: ({ accounts, removed }: Pick<SentAccounts, 'accounts' | 'removed'>): void => {
      const at = Date.now();
      if (accounts === 'all') mustWriteAll = true;
      else for (const account of accounts) pending.set(account.id, { at, id: account.id, account });
      for (const id of removed) pending.set(id, { at, id, account: undefined });
      if (removed.length > 0) {
        // The files have data of the deleted accounts.
        mustWriteAll = true;
        mayWriteAllAt = Math.min(mayWriteAllAt, wroteAllAt + tookMs);
      }
      after(0);
    },
    /** Appends pending changes first, and writes all accounts if there is time. */
    stop: async (): Promise<void> => {
      if (dueAt !== Infinity) write(() => tookMs < stopMs);
      await Promise.race([underway, sleep(stopMs, undefined, { ref: false })]);
      stopping.abort();
      // The accounts that changed while all were written.
      const last = underway.then(append).catch(onProblem);
      await Promise.race([last, sleep(stopMs, undefined, { ref: false })]);
      clearTimeout(timer);
    },
  };
}

async function* untilStopped<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
}
