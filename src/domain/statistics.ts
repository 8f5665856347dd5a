import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import type { PageLink } from './log-query.ts';
import type { CategoryType } from './query-record.ts';

export const bucketUnits = ['minute', 'hour', 'day'] as const;
export type BucketUnit = (typeof bucketUnits)[number];

type UnitRule = {
  readonly ms: number;
  /** Longest range that is shown in this unit. */
  readonly maxRangeMs: number;
  /** Retention of counts in this unit. Older counts are in a coarser unit. */
  readonly keptMs: number;
};

export const unitRules: Readonly<Record<BucketUnit, UnitRule>> = {
  minute: { ms: MINUTE_MS, maxRangeMs: 2 * HOUR_MS, keptMs: 26 * HOUR_MS },
  hour: { ms: HOUR_MS, maxRangeMs: 8 * DAY_MS, keptMs: 100 * DAY_MS },
  day: { ms: DAY_MS, maxRangeMs: Number.POSITIVE_INFINITY, keptMs: 3 * 366 * DAY_MS },
};

export type StatisticsQuery = {
  readonly from: number;
  readonly to: number;
  readonly devices?: readonly string[];
  readonly dnsServers?: readonly string[];
  readonly countries?: readonly string[];
  readonly companies?: readonly string[];
};

/** Counters; `companies` is the number of distinct companies. */
export type QueryCounts = { readonly queries: number; readonly blocked: number; readonly companies: number };

export type CategoryCounts = { readonly category: CategoryType; readonly queries: number };
export type BlockedCategoryCounts = { readonly category: string; readonly blocked: number };
export type CompanyCounts = { readonly companyId: string; readonly value: QueryCounts };
export type CompanyDetails = CompanyCounts & {
  readonly domains: number;
  readonly topQueriesDomain: string;
  readonly topBlockedDomain?: string;
};
export type CompanyDetailsPage = { readonly items: readonly CompanyDetails[]; readonly pages: readonly PageLink[] };
export type CountryCounts = { readonly country: string; readonly value: QueryCounts };
export type DeviceCounts = { readonly device: string; readonly lastActivity: number; readonly value: QueryCounts };
/** Queries of a client that is not a device, by its address in the log. */
export type ClientCounts = {
  readonly address: string;
  readonly lastActivity: number;
  readonly queries: number;
  readonly blocked: number;
};
/** Queries that a list has blocked. */
export type ListCounts = { readonly filterId: string; readonly blocked: number };
/** Based on queries with a known latency. */
export type LatencySum = { readonly queries: number; readonly ms: number };
/** `averageMs` is undefined if the latency of no query is known. */
export type LatencyBucket = { readonly time: number; readonly queries: number; readonly averageMs: number | undefined };
/** Devices with at least one query. */
export type ActiveDevices = { readonly time: number; readonly devices: number };
export type DomainCounts = { readonly domain: string; readonly value: QueryCounts };
export type TimeCounts = { readonly time: number; readonly value: QueryCounts };

/** Buckets of a range: they start at first, first + width, …, last. */
export type Buckets = {
  readonly unit: BucketUnit;
  readonly width: number;
  readonly first: number;
  readonly last: number;
};

export const bucketStart = (unit: BucketUnit, time: number): number =>
  Math.floor(time / unitRules[unit].ms) * unitRules[unit].ms;

/** The unit in which a range is shown. It depends only on the length, so that the number of buckets is predictable. */
export function bucketsOf(range: Range, now: number): Buckets {
  return bucketsIn(
    unitFor(range, () => true),
    range,
    now,
  );
}

/**
 * The unit in which a range is counted: the finest one that is still stored. If it is coarser than the shown unit,
 * counts go to the bucket in which the coarser one starts, or to the first.
 */
export function countedBucketsOf(range: Range, now: number): Buckets {
  return bucketsIn(
    unitFor(range, (unit) => range.from >= now - unitRules[unit].keptMs),
    range,
    now,
  );
}

type Range = { readonly from: number; readonly to: number };

const unitFor = ({ from, to }: Range, isKept: (unit: BucketUnit) => boolean): BucketUnit =>
  bucketUnits.find((unit) => to - from <= unitRules[unit].maxRangeMs && isKept(unit)) ?? 'day';

/** Whole buckets in UTC, limited to stored times until now. */
function bucketsIn(unit: BucketUnit, { from, to }: Range, now: number): Buckets {
  const start = Math.max(from, now - unitRules.day.keptMs);
  const end = Math.min(to, Math.max(now, start) + DAY_MS);
  return { unit, width: unitRules[unit].ms, first: bucketStart(unit, start), last: bucketStart(unit, end) };
}

/** Replaces hours of whole days by days: sums then need far fewer counts. */
export function coarsely(buckets: Buckets): readonly Omit<Buckets, 'width'>[] {
  const { unit, first, last } = buckets;
  const firstDay = Math.ceil(first / DAY_MS) * DAY_MS;
  const end = Math.floor((last + HOUR_MS) / DAY_MS) * DAY_MS;
  if (unit !== 'hour' || end <= firstDay) return [buckets];
  return [
    { unit: 'hour' as const, first, last: firstDay - HOUR_MS },
    { unit: 'day' as const, first: firstDay, last: end - DAY_MS },
    { unit: 'hour' as const, first: end, last },
  ].filter((part) => part.first <= part.last);
}

/** The whole buckets of a range, as a range of times. */
export const wholeRange = ({ first, last, width }: Buckets): Range => ({ from: first, to: last + width - 1 });

/** The start of every bucket. */
function startsOf({ first, last, width }: Buckets): readonly number[] {
  const length = Math.max(0, Math.round((last - first) / width) + 1);
  return Array.from({ length }, (_, index) => first + index * width);
}

/** All buckets in order; missing ones are zero. */
export const zeroFilled = (buckets: Buckets, countsByTime: ReadonlyMap<number, QueryCounts>): TimeCounts[] =>
  startsOf(buckets).map((time) => ({
    time,
    value: countsByTime.get(time) ?? { queries: 0, blocked: 0, companies: 0 },
  }));

export const activeDeviceBuckets = (
  buckets: Buckets,
  devicesByTime: { readonly get: (time: number) => number | undefined },
): ActiveDevices[] => startsOf(buckets).map((time) => ({ time, devices: devicesByTime.get(time) ?? 0 }));

/** Average of every bucket, in tenths of a millisecond. */
export const latencyBuckets = (buckets: Buckets, latencyByTime: ReadonlyMap<number, LatencySum>): LatencyBucket[] =>
  startsOf(buckets).map((time) => {
    const { queries, ms } = latencyByTime.get(time) ?? { queries: 0, ms: 0 };
    return { time, queries, averageMs: queries === 0 ? undefined : Math.round((ms / queries) * 10) / 10 };
  });

/** Sorts by queries, then by name, so that pages are consistent. */
export const byQueries =
  <T>(queries: (item: T) => number, name: (item: T) => string) =>
  (one: T, other: T): number =>
    queries(other) - queries(one) || (name(one) < name(other) ? -1 : name(one) > name(other) ? 1 : 0);

type Statistic<T> = (account: string, query: StatisticsQuery) => Promise<T>;

/** Lists are sorted by queries, descending. */
export type LogStatistics = {
  /** In whole buckets. */
  readonly activeDevices: Statistic<readonly ActiveDevices[]>;
  /** Queries blocked by filtering categories; counted from the rows of the log, in exactly the range. */
  readonly blockedCategories: Statistic<readonly BlockedCategoryCounts[]>;
  readonly categories: Statistic<readonly CategoryCounts[]>;
  readonly companies: Statistic<readonly CompanyCounts[]>;
  readonly companiesDetailed: (
    account: string,
    query: StatisticsQuery & { readonly limit: number; readonly page?: number },
  ) => Promise<CompanyDetailsPage>;
  readonly countries: Statistic<readonly CountryCounts[]>;
  readonly devices: Statistic<readonly DeviceCounts[]>;
  readonly domains: Statistic<readonly DomainCounts[]>;
  readonly time: Statistic<readonly TimeCounts[]>;
  /** These two are counted from the rows of the log, in whole buckets, for the retention of the log. */
  readonly lists: Statistic<readonly ListCounts[]>;
  readonly latency: Statistic<readonly LatencyBucket[]>;
  /** Counted from the rows of the log, in exactly the range, for the retention of the log. */
  readonly clients: Statistic<readonly ClientCounts[]>;
};
