import { mock } from 'node:test';

const TURN_MS = 2;
// The real timers, saved before mocking.
const { setInterval: realInterval } = globalThis;

/**
 * Replaces the timers of this process with ones whose clock stands still while the process is stopped, and otherwise goes at this
 * multiple of the real speed. On a busy machine timers would otherwise fire before data that arrived long before. Returns the clock.
 */
export function fairTime(speed = 1): () => number {
  let time = 0;
  let seen = performance.now();
  mock.timers.enable({ apis: ['setTimeout'] });
  const advance = (): void => {
    const now = performance.now();
    // Small steps let I/O caused by one timer arrive before the next timer fires.
    const passed = Math.min((now - seen) * speed, 5 * TURN_MS);
    seen = now;
    time += passed;
    mock.timers.tick(passed);
  };
  realInterval(advance, TURN_MS).unref();
  return () => time;
}
