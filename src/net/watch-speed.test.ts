import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { watchSpeed } from './watch-speed.ts';

/** The second after which a body with this speed is aborted, if within a minute. */
function endedAfter(t: { after: (end: () => void) => void }, bytesPerSecond: number, minBytesPerSecond = 1024) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.after(() => mock.timers.reset());
  let isTooSlow = false;
  const speed = watchSpeed({ minBytesPerSecond, now: Date.now }, () => {
    isTooSlow = true;
  });
  for (let second = 0; second < 60; second++) {
    speed.note(1 + bytesPerSecond * second);
    mock.timers.tick(1000);
    if (isTooSlow) return second + 1;
  }
  speed.stop();
  return undefined;
}

test('a body that arrives below the minimum speed is ended after ten seconds', (t) => {
  assert.equal(endedAfter(t, 2), 10);
});
test('a body at the minimum speed is not ended', (t) => {
  assert.equal(endedAfter(t, 1200), undefined);
});
test('without a minimum no speed is too slow', (t) => {
  assert.equal(endedAfter(t, 0, 0), undefined);
});
