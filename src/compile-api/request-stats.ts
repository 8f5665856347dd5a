import { MINUTE_MS } from '../kit/durations.ts';

const MINUTES = 30;
const MAX_ERRORS = 100;

type Figures = { count: number; failed: number; totalMs: number; readonly errors: Map<string, number> };
type Minute = { readonly minute: number; readonly endpoints: Map<string, Figures> };

/** How requests of the last half hour went, by endpoint. */
export function requestFigures(now: () => number) {
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
    note(endpoint: string, durationMs: number, error: string | undefined): void {
      const { endpoints } = current();
      const figures = endpoints.get(endpoint) ?? { count: 0, failed: 0, totalMs: 0, errors: new Map() };
      endpoints.set(endpoint, figures);
      figures.count++;
      figures.totalMs += durationMs;
      if (error === undefined) return;
      figures.failed++;
      // Texts of errors hold what callers wrote: they must not fill the memory.
      if (figures.errors.size < MAX_ERRORS || figures.errors.has(error))
        figures.errors.set(error, (figures.errors.get(error) ?? 0) + 1);
    },
    summary(): Readonly<Record<string, EndpointSummary>> {
      current();
      const sums = new Map<string, Figures>();
      for (const { endpoints } of minutes)
        for (const [name, figures] of endpoints) sums.set(name, add(sums.get(name), figures));
      return Object.fromEntries([...sums].map(([name, figures]) => [name, summaryOf(figures)]));
    },
  };
}

export type RequestFigures = ReturnType<typeof requestFigures>;
type EndpointSummary = ReturnType<typeof summaryOf>;

function add(sum: Figures | undefined, more: Figures): Figures {
  if (!sum) return { ...more, errors: new Map(more.errors) };
  for (const [error, count] of more.errors) sum.errors.set(error, (sum.errors.get(error) ?? 0) + count);
  return {
    count: sum.count + more.count,
    failed: sum.failed + more.failed,
    totalMs: sum.totalMs + more.totalMs,
    errors: sum.errors,
  };
}

const summaryOf = ({ count, failed, totalMs, errors }: Figures) => ({
  count,
  success: count - failed,
  failed,
  avgDuration: totalMs / count,
  errors: Object.fromEntries(errors),
});
