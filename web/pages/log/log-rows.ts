import { isReachable, onReachable } from '../../api/connectivity.ts';
import { type LogFilters, readLog } from '../../api/log.ts';
import type { LogItem } from '../../api/log-wire.ts';
import { createStore } from '../../api/store.ts';
import { type Period, rangeOf } from '../../components/period.ts';

/** A query with a number of its own: the wire has none, and two queries may be alike. */
export type LogRow = LogItem & { readonly key: number };

export type LogState = {
  readonly count: number;
  /** Counted from the newest. */
  readonly at: (index: number) => LogRow | undefined;
  readonly older: 'loading' | 'more' | 'none' | 'failed' | 'enough';
  readonly error: unknown;
  /** Have come and are not shown yet, so that what somebody reads does not move. */
  readonly waiting: number;
};

// The first page is on the screen soon; later ones are loaded ahead of whoever scrolls.
const FIRST_ROWS = 100;
const MORE_ROWS = 1000;
/** Nobody scrolls so far to find something, and the memory of a phone is small. */
const MAX_ROWS = 250_000;
/** Of what has come since: then the page is read anew, from the top. */
const MAX_NEWER = 5000;

const sameAs = ({ time_millis, domain, device_id, dns_request_type, dns_proto_type }: LogItem): string =>
  [time_millis, domain, device_id, dns_request_type, dns_proto_type].join(' ');

/** The rows of one wish: older ones are fetched when they are wanted, newer ones are added as they happen. */
export function openLogRows(filters: LogFilters, period: Period) {
  let older: LogRow[] = [];
  let newer: LogRow[] = [];
  let waiting: LogRow[] = [];
  let range = rangeOf(period, Date.now());
  let cursor: string | undefined;
  let keys = 0;
  // While the first page is read, what is told of is kept aside: it may stand on that page.
  let isBeginning = true;
  let early: LogItem[] = [];
  /** Some were not told of: what waits cannot simply be put on top. */
  let hasGap = false;
  let stopping = new AbortController();
  // How often each query stands on the first page: what is told of it once more is no other one.
  let known = new Map<string, number>();

  const at = (index: number): LogRow | undefined =>
    index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length];
  const state = createStore<LogState>({ count: 0, at, older: 'loading', error: undefined, waiting: 0 });
  const show = (change: Partial<LogState>): void =>
    state.set({ ...state.get(), count: older.length + newer.length, waiting: waiting.length, ...change });
  const keyed = (item: LogItem): LogRow => Object.assign(item, { key: keys++ });

  async function load(): Promise<void> {
    const { signal } = stopping;
    show({ older: 'loading', error: undefined });
    try {
      const limit = cursor === undefined ? FIRST_ROWS : MORE_ROWS;
      const part = await readLog({ filters, ...range, limit, cursor }, signal);
      if (signal.aborted) return;
      if (isBeginning) begin(part.items);
      for (const item of part.items) older.push(keyed(item));
      cursor = part.next;
      const isEnough = older.length >= MAX_ROWS;
      show({ older: cursor === undefined ? 'none' : isEnough ? 'enough' : 'more' });
    } catch (error) {
      if (!signal.aborted) show({ older: 'failed', error });
    }
  }

  /** The old rows stand until the new ones are there. */
  const begin = (items: readonly LogItem[]): void => {
    [older, newer, waiting] = [[], [], []];
    known = new Map();
    for (const item of items) note(item);
    newer.push(...early.filter((item) => !isKnown(item)).map(keyed));
    [early, isBeginning, hasGap] = [[], false, false];
  };

  const note = (item: LogItem): void => void known.set(sameAs(item), (known.get(sameAs(item)) ?? 0) + 1);
  const isKnown = (item: LogItem): boolean => {
    const times = known.get(sameAs(item)) ?? 0;
    known.set(sameAs(item), times - 1);
    return times > 0;
  };

  const restart = (): void => {
    stopping.abort();
    stopping = new AbortController();
    [early, isBeginning, waiting] = [[], true, []];
    cursor = undefined;
    range = rangeOf(period, Date.now());
    void load();
  };

  const showWaiting = (): void => {
    newer.push(...waiting);
    waiting = [];
    if (hasGap || newer.length > MAX_NEWER) restart();
    else show({});
  };

  return {
    use: state.use,
    start(): () => void {
      restart();
      const unsubscribe = onReachable(() => {
        if (isReachable() && state.get().older === 'failed') void load();
      });
      return () => {
        unsubscribe();
        stopping.abort();
      };
    },
    loadMore: (): void => void (state.get().older === 'more' && load()),
    retry: (): void => void load(),
    /** Queries as they happen, the oldest first; shown at once, or when somebody wants to see them. */
    add(items: readonly LogItem[], isShown: boolean): void {
      if (isBeginning) {
        early.push(...items);
        return;
      }
      waiting.push(...items.filter((item) => !isKnown(item)).map(keyed));
      if (isShown) showWaiting();
      else {
        waiting = waiting.slice(-MAX_NEWER);
        show({});
      }
    },
    showWaiting,
    /** From here on some may be missing: read again now, or as soon as somebody wants to see them. */
    noteGap(isShown: boolean): void {
      hasGap = true;
      if (isShown) restart();
    },
  };
}

export type LogRows = ReturnType<typeof openLogRows>;
