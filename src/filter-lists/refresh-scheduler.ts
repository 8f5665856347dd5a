import { keyedMutex } from '../kit/keyed-mutex.ts';
import { nextToCheck } from './check-queue.ts';
import type { WantedList } from './list-request.ts';
import type { ListState } from './list-state.ts';
import type { ListsSettings, ManagedListDeps } from './lists-settings.ts';
import type { ManagedList } from './managed-list.ts';

/** Maximum time between two checks for due lists, and until a failed review is retried. */
const POLL_MS = 60_000;

type SchedulerDeps = Pick<ManagedListDeps, 'everyMs' | 'ticks' | 'log'> &
  Pick<ListsSettings, 'wanted' | 'isDeleted'> & {
    /** Called with all lists that are in use or were in use recently. */
    readonly onReviewed?: (ids: ReadonlySet<string>) => Promise<void>;
  };

export type RefreshScheduler = {
  /** Reviews the lists in use. Calls before a review has started share it. */
  readonly review: () => Promise<void>;
  readonly begin: () => void;
  readonly stop: () => void;
};

/** Schedules the checks of all lists. */
export function createRefreshScheduler(
  lists: Map<string, ManagedList>,
  newList: (state: ListState) => ManagedList,
  { everyMs, ticks, log, wanted, isDeleted = () => false, onReviewed = async () => {} }: SchedulerDeps,
): RefreshScheduler {
  const oneByOne = keyedMutex();
  let waiting: Promise<void> | undefined;
  let reviewDueAt = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isGoing = false;
  /** Start of the last check of each account. */
  const servedAt = new Map<string, number>();

  function review(): Promise<void> {
    waiting ??= oneByOne('review', () => {
      waiting = undefined;
      return reviewNow();
    });
    return waiting;
  }

  async function reviewNow(): Promise<void> {
    const found = await wantedNow();
    reviewDueAt = ticks() + (found ? Math.max(everyMs(), POLL_MS) : POLL_MS);
    // If the lists in use are unknown, load those of the previous run.
    if (!found) for (const list of lists.values()) if (list.wasInUse()) list.load();
    if (found) reconcile(found);
    for (const list of lists.values()) list.loaded().then(startDue, unexpected);
    startDue();
    if (found) await onReviewed(new Set(lists.keys()));
  }

  function reconcile(found: ReadonlyMap<string, WantedList>): void {
    for (const [id, list] of found) {
      if (!lists.has(id)) lists.set(id, newList({ id }));
      lists.get(id)!.acquire(list);
    }
    const accounts = new Set(found.values().map(({ account = '' }) => account));
    for (const account of servedAt.keys()) if (!accounts.has(account)) servedAt.delete(account);
    for (const list of lists.values()) {
      if (found.has(list.id)) continue;
      list.release();
      if (list.evict(isDeleted(list.id))) lists.delete(list.id);
    }
  }

  async function wantedNow(): Promise<ReadonlyMap<string, WantedList> | undefined> {
    try {
      return new Map(Array.from(await wanted(), (list) => [list.id, list]));
    } catch (error) {
      log.warn({ err: error }, 'failed to read which filter lists are in use');
      return undefined;
    }
  }

  function startDue(): void {
    if (!isGoing) return;
    const all = [...lists.values()];
    // Both steps use the same time; otherwise a list that becomes due in between would be neither started nor scheduled.
    const now = ticks();
    for (const list of nextToCheck(all, now, servedAt)) {
      const account = list.account();
      if (account !== undefined) servedAt.set(account, ticks());
      list.check().then(startDue, unexpected);
    }
    wake(all, now);
  }

  function wake(all: readonly ManagedList[], now = ticks()): void {
    clearTimeout(timer);
    // Lists that are already due are started when a running check ends.
    const waits = all.map((list) => list.dueAt() - now).filter((ms) => ms > 0);
    const wait = waits.reduce((least, ms) => Math.min(least, ms), POLL_MS);
    timer = setTimeout(() => (ticks() >= reviewDueAt ? void review().catch(unexpected) : startDue()), Math.ceil(wait));
    timer.unref();
  }

  /** Continues at the next interval, because a permanent error would cause a busy loop. */
  const unexpected = (error: unknown): void => {
    log.warn({ err: error }, 'refreshing filter lists failed');
    if (isGoing) wake([]);
  };

  return {
    review,
    begin: () => {
      isGoing = true;
      startDue();
    },
    stop: () => {
      isGoing = false;
      clearTimeout(timer);
    },
  };
}
