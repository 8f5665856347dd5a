import { PerformanceObserver, performance } from 'node:perf_hooks';

/** How much a thread was delayed: by its own work, and by garbage collection. */
export type ThreadLoad = {
  /** Longest delay of a timer since the last reading. */
  readonly lagMs: number;
  readonly collections: number;
  readonly collectionMs: number;
};

const CHECK_MS = 100;

/** Measures the calling thread. `takeLoad` begins the next reading. */
export function watchThreadLoad(): { readonly takeLoad: () => ThreadLoad; readonly stop: () => void } {
  let [lagMs, collections, collectionMs] = [0, 0, 0];
  let due = performance.now() + CHECK_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lagMs = Math.max(lagMs, now - due);
    due = now + CHECK_MS;
  }, CHECK_MS).unref();
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      collections += 1;
      collectionMs += duration;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    takeLoad() {
      const load = { lagMs: Math.max(0, lagMs, performance.now() - due), collections, collectionMs };
      lagMs = 0;
      return load;
    },
    stop() {
      clearInterval(timer);
      observer.disconnect();
    },
  };
}
