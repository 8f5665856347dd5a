import type { BucketUnit } from '../../domain/statistics.ts';
import { DAY_MS } from '../../kit/durations.ts';
import { LogError } from '../log-store.ts';
import { type FoundPages, type IndexPages, MIN_INDEXED_ROWS } from '../segments/index-pages.ts';
import type { SegmentPart, SegmentParts } from '../segments/segment.ts';
import type { SharedRows } from '../segments/shared-rows.ts';

/** The stored format; docs/query-log.md describes it. Formats from `OLDEST_FORMAT` on are read and rewritten in the background. */
export const FORMAT = 4;
const OLDEST_FORMAT = 2;

/** Throws unless this version can read the format. */
export function checkFormat(format: number, newest = FORMAT): void {
  if (format > newest) throw new LogError('newer format');
  if (!Number.isInteger(format) || format < OLDEST_FORMAT) throw new LogError('unknown format');
}

/** SQL condition for segments of an earlier format that differ from the current format. */
export const isOutdatedSql: Readonly<Record<number, string>> = {
  2: 'true',
  // Format 3 had another index for rare values. Segments without an index are identical.
  3: `fresh IS NULL AND row_count >= ${MIN_INDEXED_ROWS}`,
};

/**
 * Storage of segments and rollups. The log engine above it is the same for every database; a backend stores byte
 * arrays, finds them by account and time, and commits.
 */
export type LogBackend = {
  /** Reads from one snapshot. */
  readonly read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;
  /** One transaction, with a lock on the given accounts. */
  readonly change: <T>(accounts: readonly string[], work: (change: WriteTransaction) => Promise<T>) => Promise<T>;
  /** Every account that has rows or statistics. */
  readonly accounts: () => Promise<readonly string[]>;
  /** Unflushed rows per account. */
  readonly unflushedByAccount: () => Promise<readonly UnflushedCounts[]>;
  /** Deletes renamed corrupt files that contain rows of the account. */
  readonly removeDamaged: (account: string) => Promise<void>;
  /** Overwrites the bytes of all deleted rows. Resolves when no file contains them. */
  readonly erase: () => Promise<void>;
  /**
   * Deletes segments older than the cutoff of their account, rollups older than the retention of their unit, and
   * corrupt files renamed more than a week ago.
   */
  readonly expire: (
    cutoffs: ReadonlyMap<string, number>,
    rollups: Readonly<Record<BucketUnit, number>>,
  ) => Promise<void>;
  /** At most `limit` segments of an earlier format. */
  readonly outdated: (limit: number) => Promise<readonly OutdatedSegment[]>;
  readonly outdatedCount: () => Promise<number>;
  /** Drops tables of earlier formats. Called when no segment is outdated. */
  readonly finishUpgrade: () => Promise<void>;
  /** Undefined for a database that stores rows of each account separately. */
  readonly sharing?: Sharing;
  readonly close: () => Promise<void>;
};

/** Storage of rows of several accounts together, until they are moved to segments of their accounts. */
type Sharing = {
  /** Stores the batches, all or none of them. */
  readonly append: (batches: readonly SharedRows[]) => Promise<void>;
  /**
   * Moves rows to segments of their accounts: where there are at least `maxRows` or old ones, or rows before a time.
   * Returns whether rows were moved.
   */
  readonly unshare: (due: { readonly maxRows: number } | { readonly before: number }) => Promise<boolean>;
};

/** Longer than a node waits before it sends a batch again, except from its spool. */
export const KEEP_RECEIVED_MS = 7 * DAY_MS;

export type OutdatedSegment = { readonly account: string; readonly meta: SegmentMeta };

export type UnflushedCounts = {
  readonly account: string;
  readonly segments: number;
  /** Raw and encoded rows, counted separately. */
  readonly rows: number;
  readonly encodedRows: number;
  readonly first: number;
};

/** Level 0: not rolled up; raw or encoded. Level 1 and above: encoded and rolled up. */
export type SegmentMeta = {
  readonly id: number;
  readonly level: number;
  /** Number of the newest batch in the segment. */
  readonly batch: number;
  /** Times of the oldest and newest row; both on one UTC day. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly format: number;
  /** For rows in a shared batch: the index of the first one. */
  readonly start?: number;
};

export type NewShared = SharedRows & { readonly batch: number };
type EncodedRows = { readonly parts: SegmentParts; readonly pages: IndexPages };
/** Small batches are stored raw and encoded when flushed. */
export type NewSegment = Omit<SegmentMeta, 'id' | 'level' | 'format' | 'start'> & {
  readonly account: string;
  readonly content: { readonly kind: 'raw'; readonly raw: Uint8Array } | ({ readonly kind: 'encoded' } & EncodedRows);
};
export type RolledUpSegment = Omit<SegmentMeta, 'id' | 'format' | 'start'> & EncodedRows;
/** `raw` is undefined for encoded rows. */
export type UnflushedSegment = { readonly meta: SegmentMeta; readonly raw: Uint8Array | undefined };

export type FoundSegment = {
  readonly meta: SegmentMeta;
  /** Rows of a raw segment. */
  readonly raw: Uint8Array | undefined;
  /** Requested parts of an encoded segment. */
  readonly parts: Partial<SegmentParts>;
};

type SegmentRange = {
  readonly from: number;
  readonly to: number;
  /** Parts to read with the metadata. */
  readonly parts?: readonly SegmentPart[];
  readonly isWanted?: (meta: SegmentMeta) => boolean;
};

export type PageRequest = { readonly meta: SegmentMeta; readonly numbers: readonly number[] };

export type ReadTransaction = {
  /** Segments that overlap the time range and match, newest last row first. */
  readonly segments: (account: string, range: SegmentRange) => AsyncIterable<FoundSegment>;
  /** Parts of encoded segments, in the order of `metas`. */
  readonly parts: <Part extends SegmentPart>(
    metas: readonly SegmentMeta[],
    parts: readonly Part[],
  ) => Promise<readonly Pick<SegmentParts, Part>[]>;
  /** Existing index pages of encoded segments, by number. */
  readonly pages: (requests: readonly PageRequest[]) => Promise<readonly FoundPages[]>;
  /** Segments of level 0, oldest first; `own`: without rows in shared batches. */
  unflushed(account: string, which?: 'own'): Promise<readonly UnflushedSegment[]>;
  /** Metadata of rollups that start in the range. */
  readonly rollups: (account: string, unit: RollupUnit, from: number, to: number) => Promise<readonly RollupMeta[]>;
  readonly bodies: (account: string, unit: RollupUnit, starts: readonly number[]) => Promise<readonly StoredRollup[]>;
  /** Sum of the queries in rollups that start in the range. */
  readonly queries: (account: string, unit: BucketUnit, from: number, to: number) => Promise<number>;
};

/** `batch`: the newest batch counted into the rollup. While it is unchanged, so is the body. */
type RollupMeta = { readonly start: number; readonly batch: number };
export type StoredRollup = RollupMeta & { readonly body: Uint8Array };

/** Counts, and the zone map of a day, which is deleted together with its rows. */
/** The stored name of zone maps. */
export const ZONE_MAP_UNIT = 'occurring';
export type RollupUnit = BucketUnit | typeof ZONE_MAP_UNIT;

export type WriteTransaction = ReadTransaction & {
  /** Reserves `count` batch numbers in a row that no other batch has; returns the first. */
  readonly batches: (count: number) => Promise<number>;
  /**
   * Stores the id of a batch with its rows. Returns whether rows of a time are new: a transaction of several files may have
   * stored some of them.
   */
  readonly receive: (id: string, times: readonly number[]) => Promise<(time: number) => boolean>;
  readonly appendSegments: (segments: readonly NewSegment[]) => Promise<void>;
  /** Only with `sharing`. */
  readonly shared?: {
    readonly append: (batches: readonly SharedRows[]) => Promise<void>;
    /** Moves all rows of the account, and others, to segments of their accounts. */
    readonly unshare: (account: string) => Promise<void>;
  };
  readonly addRolledUp: (account: string, segments: readonly RolledUpSegment[]) => Promise<void>;
  /** Moves encoded segments of level 0 to level 1. */
  readonly setRolledUp: (metas: readonly SegmentMeta[]) => Promise<void>;
  readonly remove: (metas: readonly SegmentMeta[]) => Promise<void>;
  readonly removeAll: (account: string) => Promise<void>;
  /** Adds `queries` to the stored number. */
  readonly putRollup: (
    account: string,
    unit: RollupUnit,
    rollup: StoredRollup & { readonly queries: number },
  ) => Promise<void>;
  readonly deleteRollups: (account: string) => Promise<void>;
  /** Deletes everything but the number of queries per hour and day, which plan limits need. */
  readonly clearRollups: (account: string) => Promise<void>;
  /** Called with every flush, before its segments are deleted: all batches up to this one are in the rollups. */
  readonly counted: (account: string, batch: number) => Promise<void>;
};
