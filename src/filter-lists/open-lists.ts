import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import type { LineReader } from './line-reader.ts';
import { readStates } from './list-folder.ts';
import type { Checked } from './list-jobs.ts';
import type { ListState } from './list-state.ts';
import type { ListStatus } from './list-status.ts';
import { listThreads } from './list-threads.ts';
import type { Keeping, ListsLog, ListsSettings, Swap } from './lists-settings.ts';
import { type LiveList, type LiveTable, liveList } from './managed-list.ts';
import { makeRounds } from './refresh-scheduler.ts';

export type Lists = Awaited<ReturnType<typeof openLists>>;
type OnSwap = (swap: Swap) => void;

/** What could not be loaded by then comes later: answering must begin. */
const START_WITHIN_MS = 3_000;

/**
 * Keeps the lists that somebody uses: fetched, made into tables in other threads, saved, and exchanged for newer ones
 * without a pause. What was saved is in use when this resolves, before any network is asked.
 */
export async function openLists(settings: ListsSettings) {
  const { folder, log } = settings;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const onLost = (problem: unknown): void => log.warn({ err: problem }, 'what was known of a filter list is lost');
  const states = await readStates(folder, onLost);

  const listeners = new Set<OnSwap>();
  const checks: Record<Checked['kind'], number> = { unchanged: 0, new: 0, 'not used': 0, failed: 0 };
  const threads = listThreads(settings);
  const writes = writesInTurn(log);
  const keeping: Keeping = {
    now: Date.now,
    ticks: () => performance.now(),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    ...settings,
    everyMs: settings.everySeconds * 1000,
    threads,
    write: writes.write,
    onSwap: (swap) => tellAll(listeners, swap, log),
    onChecked: ({ kind }) => void checks[kind]++,
  };
  const newList = (state: ListState): LiveList => liveList(state, keeping);
  const lists = new Map(states.map((state) => [state.id, newList(state)]));
  const rounds = makeRounds(lists, newList, { ...keeping, wanted: settings.wanted, isDeleted: settings.isDeleted });
  await rounds.review();
  const allLoaded = Promise.all(Array.from(lists.values(), (list) => list.loaded()));
  await Promise.race([allLoaded, sleep(settings.startWithinMs ?? START_WITHIN_MS, undefined, { ref: false })]);
  rounds.begin();

  return {
    tableOf: (id: string): LiveTable | undefined => lists.get(id)?.table(),
    /** For the thread that keeps the lists; it ends with the table that it belongs to. */
    lineReader: (id: string): LineReader | undefined => lists.get(id)?.lineReader(),
    /** Told of every table that comes, is replaced or goes; what it gives back ends the telling. */
    onSwap(listener: OnSwap): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    status: (): readonly ListStatus[] =>
      [...lists.values()].filter((list) => list.isWanted() || list.table()).map((list) => list.status()),
    /** What the management interface says of a list of the catalogue. */
    fetchedList(id: string): { rules: number; updatedAt: number } | undefined {
      const { rules = 0, fetchedAt } = lists.get(id)?.status() ?? {};
      return fetchedAt === undefined ? undefined : { rules, updatedAt: fetchedAt };
    },
    /** How many checks there were since the start, by how they ended. */
    checks: (): Readonly<typeof checks> => ({ ...checks }),
    /** To be called when somebody may have begun or ceased to use a list. */
    review: rounds.review,
    /** Asks the source now, whenever it was to be asked; one that is being asked is waited for. */
    check: async (id: string): Promise<void> => lists.get(id)?.check(),
    /** Takes the list as small as its source has it. False when nobody uses such a list. */
    async accept(id: string): Promise<boolean> {
      const list = lists.get(id);
      if (!list?.isWanted()) return false;
      await list.accept();
      return true;
    },
    async close(): Promise<void> {
      rounds.stop();
      await threads.close();
      await Promise.all(Array.from(lists.values(), (list) => list.settled()));
      await writes.settled();
      for (const list of lists.values()) list.close();
    },
  };
}

function tellAll(listeners: Iterable<OnSwap>, swap: Swap, log: ListsLog): void {
  for (const listener of listeners) {
    try {
      listener(swap);
    } catch (error) {
      log.warn({ err: error, list: swap.id }, 'a filter list could not be put to use everywhere');
    }
  }
}

function writesInTurn(log: ListsLog) {
  const inItsTurn = keyedMutex();
  const underway = new Set<Promise<void>>();
  return {
    write: (id: string, job: () => Promise<void>): Promise<void> => {
      const done = inItsTurn(id, job)
        .catch((error: unknown) =>
          log.warn({ err: error, list: id }, 'what is known of a filter list could not be written'),
        )
        .finally(() => underway.delete(done));
      underway.add(done);
      return done;
    },
    settled: (): Promise<unknown> => Promise.all(underway),
  };
}
