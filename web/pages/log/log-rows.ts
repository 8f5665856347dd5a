import { isReachable, onReachabilityChange } from '../../api/connectivity.ts';
import { type LogFilters, readLog } from '../../api/log.ts';
import { createStore } from '../../api/store.ts';
import type { LogItem } from '../../api/wire.ts';
import { type Period, rangeOf } from '../../components/period.ts';

/** Query with a key: the API has no query ids, and two queries may be equal. */
export type LogRow = LogItem & { readonly key: number };

export type LogState = {
  readonly count: number;
  /** Index 0 is the newest. */
  readonly at: (index: number) => LogRow | undefined;
  readonly older: 'loading' | 'more' | 'none' | 'failed' | 'enough';
  readonly error: unknown;
  /** New queries that are not shown yet, so that the visible rows do not move. */
  readonly waiting: number;
};

// The first page is small so that it appears quickly; later pages are loaded ahead of scrolling.
const FIRST_ROWS = 100;
const MORE_ROWS = 1000;
/** Limits memory usage, especially on phones. */
const MAX_ROWS = 250_000;
/** Beyond this many new queries, the log is read again from the start. */
const MAX_NEWER = 5000;

const identityOf = ({ time_millis, domain, device_id, dns_request_type, dns_proto_type }: LogItem): string =>
  [time_millis, domain, device_id, dns_request_type, dns_proto_type].join(' ');

/** Rows of the log for one set of filters: older rows are loaded on demand, newer ones are added live. */
export function createLogRows(filters: LogFilters, period: Period) {
  let older: LogRow[] = [];
  let newer: LogRow[] = [];
  let waiting: LogRow[] = [];
  let range = rangeOf(period, Date.now());
  let cursor: string | undefined;
  let keys = 0;
  // Live queries are buffered while the first page loads, because they may also be on that page.
  let isFirstPage = true;
  let buffered: LogItem[] = [];
  /** Live queries were missed, so waiting rows cannot simply be prepended. */
  let hasGap = false;
  let abortController = new AbortController();
  // Occurrences of each query on the first page, to remove duplicates from the stream.
  let firstPageCounts = new Map<string, number>();

  const at = (index: number): LogRow | undefined =>
    index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length];
  const state = createStore<LogState>({ count: 0, at, older: 'loading', error: undefined, waiting: 0 });
  const publish = (change: Partial<LogState>): void =>
    state.set({ ...state.get(), count: older.length + newer.length, waiting: waiting.length, ...change });
  const withKey = (item: LogItem): LogRow => Object.assign(item, { key: keys++ });

  async function load(): Promise<void> {
    const { signal } = abortController;
    publish({ older: 'loading', error: undefined });
    try {
      const limit = cursor === undefined ? FIRST_ROWS : MORE_ROWS;
      const part = await readLog({ filters, ...range, limit, cursor }, signal);
      if (signal.aborted) return;
      if (isFirstPage) replaceRows(part.items);
      for (const item of part.items) older.push(withKey(item));
      cursor = part.next;
      const isEnough = older.length >= MAX_ROWS;
      publish({ older: cursor === undefined ? 'none' : isEnough ? 'enough' : 'more' });
    } catch (error) {
      if (!signal.aborted) publish({ older: 'failed', error });
    }
  }

  /** Replaces the rows only once the new ones have loaded. */
  const replaceRows = (items: readonly LogItem[]): void => {
    [older, newer, waiting] = [[], [], []];
    firstPageCounts = new Map();
    for (const item of items) countItem(item);
    newer.push(...buffered.filter((item) => !takeKnown(item)).map(withKey));
    [buffered, isFirstPage, hasGap] = [[], false, false];
  };

  const countItem = (item: LogItem): void =>
    void firstPageCounts.set(identityOf(item), (firstPageCounts.get(identityOf(item)) ?? 0) + 1);
  const takeKnown = (item: LogItem): boolean => {
    const count = firstPageCounts.get(identityOf(item)) ?? 0;
    firstPageCounts.set(identityOf(item), count - 1);
    return count > 0;
  };

  const restart = (): void => {
    abortController.abort();
    abortController = new AbortController();
    [buffered, isFirstPage, waiting] = [[], true, []];
    cursor = undefined;
    range = rangeOf(period, Date.now());
    void load();
  };

  const showWaiting = (): void => {
    newer.push(...waiting);
    waiting = [];
    if (hasGap || newer.length > MAX_NEWER) restart();
    else publish({});
  };

  return {
    use: state.use,
    start(): () => void {
      restart();
      const unsubscribe = onReachabilityChange(() => {
        if (isReachable() && state.get().older === 'failed') void load();
      });
      return () => {
        unsubscribe();
        abortController.abort();
      };
    },
    /** Reads the log again. */
    restart,
    loadMore: (): void => void (state.get().older === 'more' && load()),
    retry: (): void => void load(),
    /** Adds live queries, oldest first; without `isShown` they wait until the user shows them. */
    add(items: readonly LogItem[], isShown: boolean): void {
      if (isFirstPage) {
        buffered.push(...items);
        return;
      }
      waiting.push(...items.filter((item) => !takeKnown(item)).map(withKey));
      if (isShown) showWaiting();
      else {
        waiting = waiting.slice(-MAX_NEWER);
        publish({});
      }
    },
    showWaiting,
    /** Live queries were missed: reads the log again, immediately or when the user shows new queries. */
    noteGap(isShown: boolean): void {
      hasGap = true;
      if (isShown) restart();
    },
  };
}

export type LogRows = ReturnType<typeof createLogRows>;
