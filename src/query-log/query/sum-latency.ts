import {
  type Buckets,
  bucketStart,
  bucketsOf,
  type LatencyBucket,
  type LatencySum,
  latencyBuckets,
  type StatisticsQuery,
  wholeRange,
} from '../../domain/statistics.ts';
import { latencyByCode, NOT_MEASURED } from '../segments/latency.ts';
import type { Rows } from './count-clients.ts';
import { predicatesOf } from './filter.ts';
import type { Reading } from './read-page.ts';
import { sumRows } from './sum-rows.ts';

/** Average latency over time, in whole buckets. */
export async function sumLatency(
  reading: Reading,
  account: string,
  query: StatisticsQuery,
  now: number,
): Promise<readonly LatencyBucket[]> {
  const buckets = bucketsOf(query, now);
  const range = wholeRange(buckets);
  const total = new Map<number, LatencySum>();
  for (const sums of await sumRows(reading, account, range, {
    name: `latency ${buckets.unit}`,
    predicates: predicatesOf(query),
    sum: (rows, isWanted) => sumByTime(rows, buckets, isWanted),
  }))
    for (const [time, { queries, ms }] of sums) {
      const previous = total.get(time);
      total.set(time, { queries: queries + (previous?.queries ?? 0), ms: ms + (previous?.ms ?? 0) });
    }
  return latencyBuckets(buckets, total);
}

function sumByTime(
  { length, times, latencies }: Rows,
  { unit, width }: Buckets,
  isWanted: (row: number) => boolean,
): ReadonlyMap<number, LatencySum> {
  const sums = new Map<number, { queries: number; ms: number }>();
  // Caches the last bucket, because rows of one bucket are mostly adjacent.
  let [start, sum] = [Number.NaN, { queries: 0, ms: 0 }];
  for (let row = 0; row < length; row += 1) {
    if (latencies[row] === NOT_MEASURED || !isWanted(row)) continue;
    const after = times[row]! - start;
    if (!(after >= 0 && after < width)) {
      start = bucketStart(unit, times[row]!);
      sum = sums.get(start) ?? { queries: 0, ms: 0 };
      sums.set(start, sum);
    }
    sum.queries += 1;
    sum.ms += latencyByCode[latencies[row]!]!;
  }
  return sums;
}
