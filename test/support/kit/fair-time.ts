import { mock } from 'node:test';

const TURN_MS = 2;
const STEP_MS = 10;
// The real timers, saved before mocking.
const { setInterval: realInterval } = globalThis;

/**
 * Replaces the timers of this process with ones that advance 10 ms in each turn of 2 ms, whatever the machine does meanwhile. On a
 * busy machine timers would otherwise fire before data that arrived long before. Returns the clock.
 */
export function fairTime(): () => number {
  let time = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  const advance = (): void => {
    // Small steps let I/O caused by one timer arrive before the next timer fires.
    time += STEP_MS;
    mock.timers.tick(STEP_MS);
  };
  realInterval(advance, TURN_MS).unref();
  return () => time;
}
