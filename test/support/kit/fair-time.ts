import { mock } from 'node:test';

const TURN_MS = 2;
// The real timers, saved before mocking.
const { setInterval: inTruth } = globalThis;

/**
 * Replaces the timers of this process with ones whose clock stands still while the process is stopped. On a busy machine timers
 * would otherwise fire before data that arrived long before.
 */
export function fairTime(): () => number {
  let time = 0;
  let seen = performance.now();
  mock.timers.enable({ apis: ['setTimeout'] });
  const goOn = (): void => {
    const now = performance.now();
    const passed = Math.min(now - seen, 5 * TURN_MS);
    seen = now;
    // Lets I/O caused by one timer arrive before the next timer fires.
    time += passed;
    mock.timers.tick(passed);
  };
  inTruth(goOn, TURN_MS).unref();
  return () => time;
}
