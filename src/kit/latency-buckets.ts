/** Upper bounds of the buckets in which latencies are counted; one more bucket holds everything above. */
export const latencyBucketsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const;

export const LATENCY_BUCKETS = latencyBucketsMs.length + 1;

export function latencyBucket(ms: number, bucketsMs: readonly number[] = latencyBucketsMs): number {
  let bucket = 0;
  while (bucket < bucketsMs.length && ms > bucketsMs[bucket]!) bucket++;
  return bucket;
}

/** Counts in buckets, not cumulative, and the sum of all latencies. */
export type LatencyCounts = { readonly buckets: readonly number[]; readonly sumMs: number };
