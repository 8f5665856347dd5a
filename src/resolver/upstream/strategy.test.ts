import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { upstreamStrategies } from '../../domain/upstream-strategy.ts';
import { unknownHealth } from './health.ts';
import { orderFor } from './strategy.ts';

const at = (name: string, latencyMs: number | undefined) => ({ name, health: () => ({ ...unknownHealth, latencyMs }) });
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
  return (seed >>> 0) / 2 ** 32;
};

function shares(latencies: readonly (number | undefined)[]): number[] {
  const all = latencies.map((latency, index) => at(String(index), latency));
  const random = seeded(7);
  const counts = latencies.map(() => 0);
  for (let i = 0; i < 20_000; i++) counts[all.indexOf(orderFor('fastest', all, random)[0]!)]!++;
  return counts.map((count) => count / 20_000);
}

test('the strategies ordered and parallel keep the order of the settings', () => {
  const all = [at('a', 500), at('b', 1), at('c', undefined)];
  assert.deepEqual(orderFor('ordered', all, seeded(1)), all);
  assert.deepEqual(orderFor('parallel', all, seeded(1)), all);
});

test('the faster upstream is queried first more often, and the slower one sometimes', () => {
  const [fast, slow] = shares([10, 100]);
  assert.ok(fast! > 0.95, `${fast}`);
  assert.ok(slow! > 0.01, `${slow}`);
});

test('equals share equally', () => {
  for (const share of shares([20, 20])) assert.ok(Math.abs(share - 0.5) < 0.02);
});

test('an upstream that was never queried counts as the fastest', () => {
  const [known, unknown] = shares([15, undefined]);
  assert.ok(Math.abs(known! - unknown!) < 0.05);
});

test('the rest follow by their latency', () => {
  const all = [at('slow', 300), at('fast', 10), at('middle', 50)];
  const names = orderFor('fastest', all, () => 0.5).map(({ name }) => name);
  assert.deepEqual(names, ['fast', 'middle', 'slow']);
});

test('every upstream is in the order once, for any strategy and latencies', () => {
  const latency = fc.option(fc.double({ min: 0, max: 1e5, noNaN: true }), { nil: undefined });
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...upstreamStrategies),
      fc.array(latency, { maxLength: 6 }),
      fraction,
      (strategy, all, chance) => {
        const rated = all.map((ms, index) => at(String(index), ms));
        const order = orderFor(strategy, rated, () => chance);
        assert.deepEqual(order.map(({ name }) => name).sort(), rated.map(({ name }) => name).sort());
      },
    ),
  );
});
