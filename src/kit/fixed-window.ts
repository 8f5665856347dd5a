export type Decision = {
  readonly allowed: boolean;
  readonly limit: number;
  /** Remaining quota in this window; never negative. */
  readonly remaining: number;
  /** Time until the window ends; 0 if none is open. */
  readonly resetMs: number;
};

/**
 * Fixed-window rate limit: a window starts with the first request of a key and lasts `windowMs`; at most `limit` is allowed per
 * window. Around the boundary of two windows up to twice the limit can pass within `windowMs`.
 */
export type FixedWindow = {
  /**
   * Takes `cost` if it fits into the remaining quota; a rejected request costs nothing. A cost of 0 checks whether any quota
   * is left.
   */
  readonly take: (key: string, cost?: number) => Decision;
  /** Charges a cost that is only known afterwards. May exceed the limit; then nothing more is allowed until the window ends. */
  readonly add: (key: string, cost: number) => void;
  /** The result of `take(key, 0)` without starting a window. */
  readonly peek: (key: string) => Decision;
};

/** A fixed window whose counter may be remote. */
export type RateWindow = {
  readonly take: (key: string, cost?: number) => Decision | Promise<Decision>;
  readonly add: (key: string, cost: number) => void | Promise<void>;
  readonly peek: (key: string) => Decision | Promise<Decision>;
};

type Window = { readonly key: string; readonly endsAt: number; used: number; next: Window | undefined };

// More than one per new window, so that expired keys of a burst are removed eventually.
const REMOVED_PER_WINDOW = 2;

/**
 * `now` is a monotonic clock in milliseconds. At most `maxKeys` windows are stored; beyond that the oldest are evicted early, so
 * `maxKeys` must exceed the number of keys one client can forge.
 */
export function fixedWindow({
  limit,
  windowMs,
  now,
  maxKeys,
}: {
  limit: number;
  windowMs: number;
  now: () => number;
  maxKeys: number;
}): FixedWindow {
  const byKey = new Map<string, Window>();
  // All windows have the same length, so they expire in order of their start.
  let oldest: Window | undefined;
  let newest: Window | undefined;
  let count = 0;

  const removeOldest = (): void => {
    const { key, next } = oldest!;
    if (byKey.get(key) === oldest) byKey.delete(key);
    oldest = next;
    if (!oldest) newest = undefined;
    count -= 1;
  };

  const open = (key: string, at: number): Window | undefined => {
    const existing = byKey.get(key);
    return existing && at < existing.endsAt ? existing : undefined;
  };

  const begin = (key: string, at: number): Window => {
    for (let i = 0; i < REMOVED_PER_WINDOW && oldest && oldest.endsAt <= at; i++) removeOldest();
    while (oldest && count >= maxKeys) removeOldest();
    const begun: Window = { key, endsAt: at + windowMs, used: 0, next: undefined };
    if (newest) newest.next = begun;
    else oldest = begun;
    newest = begun;
    count += 1;
    byKey.set(key, begun);
    return begun;
  };

  const decision = (allowed: boolean, used: number, resetMs: number): Decision => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - used),
    resetMs,
  });

  return {
    take(key, cost = 1) {
      const at = now();
      const window = open(key, at) ?? begin(key, at);
      const allowed = window.used < limit && window.used + cost <= limit;
      if (allowed) window.used += cost;
      return decision(allowed, window.used, window.endsAt - at);
    },
    add(key, cost) {
      const at = now();
      (open(key, at) ?? begin(key, at)).used += cost;
    },
    peek(key) {
      const at = now();
      const { used, endsAt } = open(key, at) ?? { used: 0, endsAt: at };
      return decision(used < limit, used, endsAt - at);
    },
  };
}
