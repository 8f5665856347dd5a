import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { measureThreadLoad, watchThreadLoad } from './thread-load.ts';

const work = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('the longest delay since the last reading is reported', async (t) => {
  const { takeLoad, stop } = watchThreadLoad();
  t.after(stop);
  work(150);
  assert.ok(takeLoad().lagMs >= 40);
  await until('a reading without delay', () => takeLoad().lagMs < 40);
});

test('a long run and a late run of a timer are delays', (t) => {
  const { began, ended, takeLoad, stop } = measureThreadLoad();
  t.after(stop);
  began();
  work(60);
  ended(60_000);
  assert.ok(takeLoad().lagMs >= 60);
  assert.equal(takeLoad().lagMs, 0);
  began();
  ended(0);
  takeLoad();
  work(60);
  began();
  ended(60_000);
  assert.ok(takeLoad().lagMs >= 60);
});

test('garbage collections are counted', async (t) => {
  const { takeLoad, stop } = watchThreadLoad();
  t.after(stop);
  let kept: unknown[] = [];
  await until('a collection', () => {
    kept = Array.from({ length: 100_000 }, () => ({}));
    return takeLoad().collections > 0;
  });
  assert.ok(kept.length > 0 && takeLoad().collectionMs > 0);
});
