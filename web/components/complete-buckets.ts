import { type Period, rangeOf } from './period.ts';

type Bucket = { readonly time_millis: number };

/** Length of a bucket; 0 if there is only one. */
const widthOf = (buckets: readonly Bucket[]): number =>
  buckets.length < 2 ? 0 : buckets[1]!.time_millis - buckets[0]!.time_millis;

/** Whether the last bucket ends in the future, so that its count is too small to be compared. */
export const isLastUnfinished = (buckets: readonly Bucket[], now: number): boolean => {
  const last = buckets.at(-1);
  return last !== undefined && buckets.length > 1 && last.time_millis + widthOf(buckets) > now;
};

/** The buckets that are over. */
export const completeBuckets = <B extends Bucket>(buckets: readonly B[], now: number): readonly B[] =>
  isLastUnfinished(buckets, now) ? buckets.slice(0, -1) : buckets;

/** Period of equal length that ends where this one starts. */
export function previousPeriod(period: Period, now: number): Period {
  const { from, to } = rangeOf(period, now);
  return { kind: 'range', from: from - (to - from), to: from };
}

/** Relative change of a sum over complete buckets to as many buckets before; undefined without a value before. */
export function changeOf<B extends Bucket>(
  current: readonly B[],
  before: readonly B[],
  count: (bucket: B) => number,
  now: number,
): number | undefined {
  const complete = completeBuckets(current, now);
  const sum = (buckets: readonly B[]): number => buckets.reduce((total, bucket) => total + count(bucket), 0);
  const previous = sum(before.slice(0, complete.length));
  return previous === 0 || complete.length === 0 ? undefined : sum(complete) / previous - 1;
}
