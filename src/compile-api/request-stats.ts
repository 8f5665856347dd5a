import { MINUTE_MS } from '../kit/durations.ts';

const MINUTES = 30;
const MAX_ERRORS = 100;

type Stats = { count: number; failed: number; totalMs: number; readonly errors: Map<string, number> };
type Minute = { readonly minute: number; readonly endpoints: Map<string, Stats> };

/** Statistics of the requests of the last 30 minutes, by endpoint. */
export function requestStats(now: () => number) {
  const minutes: Minute[] = [];

  const current = (): Minute => {
    const minute = Math.floor(now() / MINUTE_MS);
    while (minutes[0] && minutes[0].minute <= minute - MINUTES) minutes.shift();
    const last = minutes.at(-1);
    if (last?.minute === minute) return last;
    const next: Minute = { minute, endpoints: new Map() };
    minutes.push(next);
    return next;
  };

  return {
    record(endpoint: string, durationMs: number, error: string | undefined): void {
      const { endpoints } = current();
      const stats = endpoints.get(endpoint) ?? { count: 0, failed: 0, totalMs: 0, errors: new Map() };
      endpoints.set(endpoint, stats);
      stats.count++;
      stats.totalMs += durationMs;
      if (error === undefined) return;
      stats.failed++;
      // Error texts contain user input, so their number is limited.
      if (stats.errors.size < MAX_ERRORS || stats.errors.has(error))
        stats.errors.set(error, (stats.errors.get(error) ?? 0) + 1);
    },
    summary(): Readonly<Record<string, EndpointSummary>> {
      current();
      const sums = new Map<string, Stats>();
      for (const { endpoints } of minutes)
        for (const [name, stats] of endpoints) sums.set(name, add(sums.get(name), stats));
      return Object.fromEntries([...sums].map(([name, stats]) => [name, summaryOf(stats)]));
    },
  };
}

export type RequestStats = ReturnType<typeof requestStats>;
type EndpointSummary = ReturnType<typeof summaryOf>;

function add(sum: Stats | undefined, more: Stats): Stats {
  if (!sum) return { ...more, errors: new Map(more.errors) };
  for (const [error, count] of more.errors) sum.errors.set(error, (sum.errors.get(error) ?? 0) + count);
  return {
    count: sum.count + more.count,
    failed: sum.failed + more.failed,
    totalMs: sum.totalMs + more.totalMs,
    errors: sum.errors,
  };
}

const summaryOf = ({ count, failed, totalMs, errors }: Stats) => ({
  count,
  success: count - failed,
  failed,
  avgDuration: totalMs / count,
  errors: Object.fromEntries(errors),
});
