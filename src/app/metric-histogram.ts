import type { MetricValueWithName, Registry } from 'prom-client';
import { type LatencyCounts, latencyBucketsMs } from '../kit/latency-buckets.ts';

export type HistogramSample = LatencyCounts & { readonly labels: Readonly<Record<string, string>> };

type HistogramOptions = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of the buckets. */
  readonly bucketsMs?: readonly number[];
  readonly read: () => Promise<readonly HistogramSample[]>;
};

/** A histogram whose counts are read from elsewhere. The histogram of prom-client only counts its own observations. */
export function registerHistogram(
  registry: Registry,
  { name, help, labels, bucketsMs = latencyBucketsMs, read }: HistogramOptions,
): void {
  const bounds = [...bucketsMs.map((ms) => `${ms / 1000}`), '+Inf'];
  const valuesOf = ({ labels: of, buckets, sumMs }: HistogramSample): MetricValueWithName<string>[] => {
    let total = 0;
    const cumulative = bounds.map((le, bucket) => {
      total += buckets[bucket]!;
      return { labels: { ...of, le }, value: total, metricName: `${name}_bucket` };
    });
    return [
      ...cumulative,
      { labels: of, value: sumMs / 1000, metricName: `${name}_sum` },
      { labels: of, value: total, metricName: `${name}_count` },
    ];
  };
  const metric = {
    name,
    help,
    labelNames: [...labels],
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: (await read()).flatMap(valuesOf),
    }),
    reset: () => {},
  };
  registry.registerMetric(metric as never);
}
