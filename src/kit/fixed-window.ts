export type Decision = {
  readonly allowed: boolean;
  readonly limit: number;
  /** What is left of the limit in this window; never negative. */
  readonly remaining: number;
  /** Until the window ends and the whole limit is there again; 0 when no window is open. */
  readonly resetMs: number;
};

/**
 * A window begins with the first request of a key and lasts `windowMs`, whatever comes in it; the next request after
 * its end begins another. In one window no more than `limit` is allowed in all. So around the moment between two windows
 * up to twice the limit can pass in less than `windowMs`: that is the price of a limit that can be told in one sentence.
 */
export type FixedWindow = {
  /**
   * Asks for `cost`. It is allowed and counted if it fits into what is left; a refusal costs nothing. A cost of 0
   * asks whether anything is left at all.
   */
  readonly take: (key: string, cost?: number) => Decision;
  /** Charges what is known only afterwards. This may go over the limit: then nothing is allowed until the window ends. */
  readonly add: (key: string, cost: number) => void;
  /** What `take(key, 0)` would answer, without beginning a window. */
  readonly peek: (key: string) => Decision;
};

type Window = { readonly key: string; readonly endsAt: number; used: number; next: Window | undefined };

// More than one for each that is begun, so that a burst of keys is forgotten and not carried along.
const FORGOTTEN_PER_WINDOW = 2;

/**
 * `now` is a clock in milliseconds that never goes back. Memory is bounded: no more than `maxKeys` windows are remembered.
 * Past that the oldest are forgotten before their time, so `maxKeys` must be more than one client can pretend to be.
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
  // All windows last equally long, so they end in the order in which they began.
  let oldest: Window | undefined;
  let newest: Window | undefined;
  let count = 0;

  const forgetOldest = (): void => {
    const { key, next } = oldest!;
    if (byKey.get(key) === oldest) byKey.delete(key);
    oldest = next;
    if (!oldest) newest = undefined;
    count -= 1;
  };

  const open = (key: string, at: number): Window | undefined => {
    const found = byKey.get(key);
    return found && at < found.endsAt ? found : undefined;
  };

  const begin = (key: string, at: number): Window => {
    for (let i = 0; i < FORGOTTEN_PER_WINDOW && oldest && oldest.endsAt <= at; i++) forgetOldest();
    while (oldest && count >= maxKeys) forgetOldest();
    const begun: Window = { key, endsAt: at + windowMs, used: 0, next: undefined };
    if (newest) newest.next = begun;
    else oldest = begun;
    newest = begun;
    count += 1;
    byKey.set(key, begun);
    return begun;
  };

  const tell = (allowed: boolean, used: number, resetMs: number): Decision => ({
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
      return tell(allowed, window.used, window.endsAt - at);
    },
    add(key, cost) {
      const at = now();
      (open(key, at) ?? begin(key, at)).used += cost;
    },
    peek(key) {
      const at = now();
      const { used, endsAt } = open(key, at) ?? { used: 0, endsAt: at };
      return tell(used < limit, used, endsAt - at);
    },
  };
}
