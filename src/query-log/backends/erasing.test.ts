import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { erasing } from './erasing.ts';

function start({ mock }: TestContext, erase: () => Promise<void> = async () => {}) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let [runs, problems] = [0, 0];
  const erasure = erasing(
    async () => {
      runs += 1;
      await erase();
    },
    () => {
      problems += 1;
    },
  );
  const tick = (ms: number): void => mock.timers.tick(ms);
  return { erasure, tick, runs: () => runs, problems: () => problems };
}
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test('requests are combined, and a later one waits', async (t) => {
  const { erasure, tick, runs } = start(t);
  erasure.soon();
  erasure.soon();
  tick(499);
  assert.equal(runs(), 0);
  tick(1);
  await settled();
  assert.equal(runs(), 1);
  erasure.soon();
  tick(15_000);
  assert.equal(runs(), 1);
  tick(5000);
  assert.equal(runs(), 2);
});

test('a request during a run leads to another run', async (t) => {
  let finish = (): void => {};
  const { erasure, tick, runs } = start(
    t,
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  erasure.soon();
  tick(500);
  erasure.soon();
  tick(60_000);
  assert.equal(runs(), 1);
  finish();
  await settled();
  tick(20_000);
  assert.equal(runs(), 2);
  finish();
});

test('a failed run is reported and repeated', async (t) => {
  let isFailing = true;
  const { erasure, tick, runs, problems } = start(t, async () => {
    if (isFailing) throw new Error('busy');
  });
  erasure.soon();
  tick(500);
  await settled();
  assert.deepEqual([runs(), problems()], [1, 1]);
  isFailing = false;
  tick(20_000);
  await settled();
  assert.deepEqual([runs(), problems()], [2, 1]);
});

test('at the end everything that was requested is erased at once', async (t) => {
  const { erasure, tick, runs } = start(t);
  await erasure.finish();
  assert.equal(runs(), 0);
  erasure.soon();
  await erasure.finish();
  assert.equal(runs(), 1);
  tick(60_000);
  assert.equal(runs(), 1);
});
