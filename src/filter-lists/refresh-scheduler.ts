import { keyedMutex } from '../kit/keyed-mutex.ts';
import { nextToCheck } from './check-queue.ts';
import type { WantedList } from './list-request.ts';
import type { ListState } from './list-state.ts';
import type { Keeping, ListsSettings } from './lists-settings.ts';
import type { LiveList } from './managed-list.ts';

/** For acceptances by the operator, and for what is wanted when nobody could say or nobody said that it changed. */
const LOOK_AROUND_MS = 60_000;

type Rounding = Pick<Keeping, 'everyMs' | 'ticks' | 'log'> & Pick<ListsSettings, 'wanted' | 'isDeleted'>;

export type Rounds = {
  /** Looks at what is wanted. All who ask before a look has begun share it. */
  readonly review: () => Promise<void>;
  readonly begin: () => void;
  readonly stop: () => void;
};

/** Says to each list when its time has come. */
export function makeRounds(
  lists: Map<string, LiveList>,
  newList: (state: ListState) => LiveList,
  { everyMs, ticks, log, wanted, isDeleted = () => false }: Rounding,
): Rounds {
  const oneByOne = keyedMutex();
  let waiting: Promise<void> | undefined;
  let reviewDueAt = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isGoing = false;
  /** When a check of each account last started. */
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
    reviewDueAt = ticks() + (found ? Math.max(everyMs, LOOK_AROUND_MS) : LOOK_AROUND_MS);
    // When nobody can say what is used, what was used when this program last ran is better than nothing.
    if (!found) for (const list of lists.values()) if (list.wasInUse()) list.load();
    if (found) accord(found);
    for (const list of lists.values()) list.loaded().then(startDue, unexpected);
    startDue();
  }

  function accord(found: ReadonlyMap<string, WantedList>): void {
    for (const [id, list] of found) {
      if (!lists.has(id)) lists.set(id, newList({ id }));
      lists.get(id)!.want(list);
    }
    const accounts = new Set(found.values().map(({ account = '' }) => account));
    for (const account of servedAt.keys()) if (!accounts.has(account)) servedAt.delete(account);
    for (const list of lists.values()) {
      if (found.has(list.id)) continue;
      list.unwant();
      if (list.letGo(isDeleted(list.id))) lists.delete(list.id);
    }
  }

  async function wantedNow(): Promise<ReadonlyMap<string, WantedList> | undefined> {
    try {
      return new Map(Array.from(await wanted(), (list) => [list.id, list]));
    } catch (error) {
      log.warn({ err: error }, 'which filter lists are used could not be found out');
      return undefined;
    }
  }

  function startDue(): void {
    if (!isGoing) return;
    const all = [...lists.values()];
    for (const list of nextToCheck(all, ticks(), servedAt)) {
      const account = list.account();
      if (account !== undefined) servedAt.set(account, ticks());
      list.check().then(startDue, unexpected);
    }
    wake(all);
  }

  function wake(all: readonly LiveList[]): void {
    clearTimeout(timer);
    // What is due already waits for another check to end, and that begins it.
    const waits = all.map((list) => list.dueAt() - ticks()).filter((ms) => ms > 0);
    const wait = waits.reduce((least, ms) => Math.min(least, ms), LOOK_AROUND_MS);
    timer = setTimeout(() => void lookAround().catch(unexpected), Math.ceil(wait)).unref();
  }

  async function lookAround(): Promise<void> {
    for (const list of lists.values()) await list.lookForAcceptance();
    if (ticks() >= reviewDueAt) await review();
    else startDue();
  }

  /** The next round goes on; not at once, or a problem that stays would be all that is done. */
  const unexpected = (error: unknown): void => {
    log.warn({ err: error }, 'the filter lists have a problem');
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
