import { PerformanceObserver, performance } from 'node:perf_hooks';

/** Delays of a thread by its own work and by garbage collection. */
export type ThreadLoad = {
  /** Longest delay of a timer since the last reading. */
  readonly lagMs: number;
  readonly collections: number;
  readonly collectionMs: number;
};

type LoadReading = { readonly takeLoad: () => ThreadLoad; readonly stop: () => void };
type LoadMeasurement = LoadReading & { readonly began: () => void; readonly ended: (nextMs: number) => void };

const CHECK_MS = 100;

/** Measures the calling thread. `takeLoad` begins the next reading. */
export function watchThreadLoad(): LoadReading {
  const { began, ended, takeLoad, stop } = measureThreadLoad();
  ended(CHECK_MS);
  const timer = setInterval(() => {
    began();
    ended(CHECK_MS);
  }, CHECK_MS).unref();
  return {
    takeLoad,
    stop() {
      clearInterval(timer);
      stop();
    },
  };
}

/**
 * Uses an existing timer of the thread, because another one would wake it more often. Each run of the timer calls `began` and `ended`, the
 * latter with the delay until the next run.
 */
export function measureThreadLoad(): LoadMeasurement {
  let [lagMs, collections, collectionMs] = [0, 0, 0];
  let [beganAt, due] = [0, Number.POSITIVE_INFINITY];
  const delayed = (ms: number): void => {
    lagMs = Math.max(lagMs, ms);
  };
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      collections += 1;
      collectionMs += duration;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    began() {
      beganAt = performance.now();
      delayed(beganAt - due);
    },
    ended(nextMs) {
      const now = performance.now();
      if (beganAt > 0) delayed(now - beganAt);
      due = now + nextMs;
    },
    takeLoad() {
      const load = { lagMs: Math.max(0, lagMs, performance.now() - due), collections, collectionMs };
      lagMs = 0;
      return load;
    },
    stop: () => observer.disconnect(),
  };
}
