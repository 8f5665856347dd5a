import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import { listChecks } from './check-shared.ts';
import type { LineReader } from './line-reader.ts';
import type { ChangedRules } from './list-changes.ts';
import { readStates } from './list-folder.ts';
import type { Checked } from './list-jobs.ts';
import { createListOverlap } from './list-overlap.ts';
import type { ListState } from './list-state.ts';
import type { ListStatus } from './list-status.ts';
import { listThreads } from './list-threads.ts';
import type { ListsLog, ListsSettings, ManagedListDeps, Swap } from './lists-settings.ts';
import { createManagedList, type LiveTable, type ManagedList } from './managed-list.ts';
import { createRefreshScheduler } from './refresh-scheduler.ts';

export type Lists = Awaited<ReturnType<typeof openLists>>;
type OnSwap = (swap: Swap) => void;

/** Lists that take longer to load are activated later, so that they do not delay the start of DNS. */
const START_WITHIN_MS = 3_000;

/**
 * Manages the lists in use: downloads them, builds tables in worker threads, saves them and swaps tables without a
 * pause. Saved tables are active when this resolves, before any download.
 */
export async function openLists(settings: ListsSettings) {
  const { folder, log } = settings;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const onLost = (problem: unknown): void => log.warn({ err: problem }, 'state of a filter list is unreadable');
  const states = await readStates(folder, onLost);

  const listeners = new Set<OnSwap>();
  const checks: Record<Checked['kind'], number> = { unchanged: 0, new: 0, 'not used': 0, failed: 0 };
  const threads = listThreads(settings);
  const writes = writesInTurn(log);
  let everyMs = settings.everySeconds * 1000;
  const common = {
    now: Date.now,
    ticks: () => performance.now(),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    ...settings,
    everyMs: () => everyMs,
    threads,
  };
  const deps: ManagedListDeps = {
    ...common,
    look: listChecks({ shared: undefined, ...common }),
    isSharing: settings.shared !== undefined,
    write: writes.write,
    onSwap: (swap) => notifyAll(listeners, swap, log),
    onChecked: ({ kind }) => void checks[kind]++,
  };
  const newList = (state: ListState): ManagedList => createManagedList(state, deps);
  const lists = new Map(states.map((state) => [state.id, newList(state)]));
  const scheduler = createRefreshScheduler(lists, newList, {
    ...deps,
    wanted: settings.wanted,
    isDeleted: settings.isDeleted,
    onReviewed: (ids) => removeUnused(settings, ids),
  });
  await scheduler.review();
  const allLoaded = Promise.all(Array.from(lists.values(), (list) => list.loaded()));
  await Promise.race([allLoaded, sleep(settings.startWithinMs ?? START_WITHIN_MS, undefined, { ref: false })]);
  scheduler.begin();

  const tableOf = (id: string): LiveTable | undefined => lists.get(id)?.table();

  return {
    tableOf,
    /** Valid until the table is replaced; for the thread that manages the lists. */
    lineReader: (id: string): LineReader | undefined => lists.get(id)?.lineReader(),
    /** Calls the listener when a table is added, replaced or removed; returns the unsubscribe function. */
    onSwap(listener: OnSwap): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    status: (): readonly ListStatus[] =>
      [...lists.values()].filter((list) => list.isWanted() || list.table()).map((list) => list.status()),
    /** Data of a list of the catalogue, for the management API. */
    fetchedList(id: string): { rules: number; updatedAt: number } | undefined {
      const { rules = 0, fetchedAt } = lists.get(id)?.status() ?? {};
      return fetchedAt === undefined ? undefined : { rules, updatedAt: fetchedAt };
    },
    /** Rules that the last update has added and removed; undefined before the first update. */
    changedRules: async (id: string): Promise<ChangedRules | undefined> => lists.get(id)?.changedRules(),
    overlap: createListOverlap(tableOf),
    /** Number of checks since the start, by outcome. */
    checks: (): Readonly<typeof checks> => ({ ...checks }),
    /** Call when the set of lists in use may have changed. */
    review: scheduler.review,
    /** Sets the check interval and reschedules all lists, as after a restart. */
    async useInterval(everySeconds: number): Promise<void> {
      everyMs = everySeconds * 1000;
      for (const list of lists.values()) list.reschedule();
      await scheduler.review();
    },
    /** Checks the source now; joins a running check. */
    check: async (id: string): Promise<void> => lists.get(id)?.checkSources(),
    /** Uses the version that is held back because it is small. Other lists do not change. */
    accept: async (id: string): Promise<void> => lists.get(id)?.accept(),
    async close(): Promise<void> {
      scheduler.stop();
      await threads.close();
      await Promise.all(Array.from(lists.values(), (list) => list.settled()));
      await writes.settled();
      for (const list of lists.values()) list.close();
    },
  };
}

/** The leader removes shared versions of lists that are not in use, such as those of deleted accounts. */
async function removeUnused({ shared, log }: ListsSettings, ids: ReadonlySet<string>): Promise<void> {
  if (!shared) return;
  try {
    if (!(await shared.isLeader())) return;
    for (const id of (await shared.versions()).keys()) if (!ids.has(id)) await shared.remove(id);
  } catch (error) {
    log.debug({ err: error }, 'shared filter lists cannot be read');
  }
}

function notifyAll(listeners: Iterable<OnSwap>, swap: Swap, log: ListsLog): void {
  for (const listener of listeners) {
    try {
      listener(swap);
    } catch (error) {
      log.warn({ err: error, list: swap.id }, 'a listener failed to apply a filter list');
    }
  }
}

function writesInTurn(log: ListsLog) {
  const inItsTurn = keyedMutex();
  const underway = new Set<Promise<void>>();
  return {
    write: (id: string, job: () => Promise<void>): Promise<void> => {
      const done = inItsTurn(id, job)
        .catch((error: unknown) => log.warn({ err: error, list: id }, 'failed to save the state of a filter list'))
        .finally(() => underway.delete(done));
      underway.add(done);
      return done;
    },
    settled: (): Promise<unknown> => Promise.all(underway),
  };
}
