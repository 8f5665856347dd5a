import { mock } from 'node:test';

const TURN_MS = 2;
// Those of the world, before they are exchanged for ours.
const { setInterval: inTruth } = globalThis;

/**
 * From now on the timers of this process go by a clock that stands still while the process does. A busy machine stops a test for
 * as long as it likes, its servers, too; timers that were due meanwhile would come before answers that were sent long ago.
 */
export function fairTime(): () => number {
  let time = 0;
  let seen = performance.now();
  mock.timers.enable({ apis: ['setTimeout'] });
  const goOn = (): void => {
    const now = performance.now();
    const passed = Math.min(now - seen, 5 * TURN_MS);
    seen = now;
    // What is due at one time is followed by whatever it made arrive, before the next is due.
    time += passed;
    mock.timers.tick(passed);
  };
  inTruth(goOn, TURN_MS).unref();
  return () => time;
}
