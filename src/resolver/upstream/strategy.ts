import type { UpstreamStrategy } from '../../domain/upstream-strategy.ts';
import type { Health } from './health.ts';

// Share of queries that are sent to a random upstream first, to detect changes of latency.
const EXPLORATION = 0.03;

type Rated = { readonly health: () => Health };

/** The order in which upstreams are queried. `random` returns a number in [0, 1). */
export function orderFor<T extends Rated>(
  strategy: UpstreamStrategy,
  all: readonly T[],
  random: () => number,
): readonly T[] {
  if (strategy !== 'fastest' || all.length < 2) return all;
  const latency = latencyOf(all);
  const first = pick(all, random() < EXPLORATION ? () => 1 : (one) => latency(one) ** -2, random());
  const rest = all.filter((one) => one !== first).sort((a, b) => latency(a) - latency(b));
  return [first, ...rest];
}

/** An upstream without a measurement counts as the best, so that it is measured soon. */
function latencyOf<T extends Rated>(all: readonly T[]): (one: T) => number {
  const latencies = all.map(({ health }) => health().latencyMs).filter((ms) => ms !== undefined);
  const best = Math.min(...latencies, 1000);
  return (one) => Math.max(one.health().latencyMs ?? best, 1);
}

/** The share of queries that each upstream gets first, or undefined if several are queried at the same time. */
export function sharesFor<T extends Rated>(
  strategy: UpstreamStrategy,
  all: readonly T[],
): readonly number[] | undefined {
  if (strategy === 'parallel') return undefined;
  if (strategy === 'ordered') return all.map((_, index) => (index === 0 ? 1 : 0));
  const latency = latencyOf(all);
  const weights = all.map((one) => latency(one) ** -2);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (1 - EXPLORATION) * (weight / sum) + EXPLORATION / all.length);
}

function pick<T>(all: readonly T[], weight: (one: T) => number, fraction: number): T {
  let left = fraction * all.reduce((sum, one) => sum + weight(one), 0);
  for (const one of all) {
    left -= weight(one);
    if (left < 0) return one;
  }
  return all.at(-1)!;
}
