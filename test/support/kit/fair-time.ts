import { mock } from 'node:test';

const TURN_MS = 2;
// The real timers, saved before mocking.
const { setInterval: realInterval } = globalThis;

/**
 * Replaces the timers of this process. Their clock stops while the process is stopped, and otherwise runs at this multiple of real time. On
 * a busy machine, real timers would fire before data that arrived earlier. Returns the clock.
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
