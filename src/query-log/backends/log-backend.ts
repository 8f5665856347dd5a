import type { BucketUnit } from '../../domain/statistics.ts';
import { LogError } from '../log-store.ts';
import { type FoundPages, type IndexPages, MIN_INDEXED_ROWS } from '../segments/index-pages.ts';
import type { SegmentPart, SegmentParts } from '../segments/segment.ts';

/** The stored format; docs/query-log.md describes it. Formats from `OLDEST_FORMAT` on are read and rewritten in the background. */
export const FORMAT = 4;
const OLDEST_FORMAT = 2;

/** Throws unless this version can read the format. */
export function checkFormat(format: number): void {
  if (format > FORMAT) throw new LogError('newer format');
  if (!Number.isInteger(format) || format < OLDEST_FORMAT) throw new LogError('unknown format');
}

/** SQL condition on the segments of an earlier format that differ from the current one. */
export const isOutdatedSql: Readonly<Record<number, string>> = {
  2: 'true',
  // Format 3 had another index for rare values. Segments without an index are the same.
  3: `fresh IS NULL AND row_count >= ${MIN_INDEXED_ROWS}`,
};

/**
 * Blocks of rows and tallies, wherever they are kept. What the log means stands above this and is the same for every
 * database; a database only has to keep runs of bytes, find them by account and time, and commit.
 */
export type LogBackend = {
  /** Sees one state, whatever is written meanwhile. */
  readonly read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;
  /** One transaction. Nobody else folds, clears or forgets the blocks of these accounts at the same time. */
  readonly change: <T>(accounts: readonly string[], work: (change: WriteTransaction) => Promise<T>) => Promise<T>;
  /** Every account that has rows or statistics. */
  readonly accounts: () => Promise<readonly string[]>;
  /** What was written and not counted yet. */
  readonly unflushedByAccount: () => Promise<readonly UnflushedCounts[]>;
  /** Deletes renamed damaged files that contain rows of the account. */
  readonly removeDamaged: (account: string) => Promise<void>;
  /** Overwrites the bytes of everything that was removed. Resolves when no file contains them any more. */
  readonly erase: () => Promise<void>;
  /**
   * Removes every block whose last row is older than its account's cutoff, tallies older than their unit keeps, and damaged files
   * that were set aside long ago.
   */
  readonly expire: (
    cutoffs: ReadonlyMap<string, number>,
    rollups: Readonly<Record<BucketUnit, number>>,
  ) => Promise<void>;
  /** Segments of an earlier format, at most so many. */
  readonly outdated: (limit: number) => Promise<readonly OutdatedSegment[]>;
  readonly outdatedCount: () => Promise<number>;
  /** Drops tables of earlier formats. Called when no segment is outdated. */
  readonly finishUpgrade: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OutdatedSegment = { readonly account: string; readonly meta: SegmentMeta };

export type UnflushedCounts = {
  readonly account: string;
  readonly segments: number;
  /** Rows as they came, and packed ones. */
  readonly rows: number;
  readonly encodedRows: number;
  readonly first: number;
};

/** Level 0: not counted in tallies yet; its rows are as they came, or packed already. From 1 on: packed and counted. */
export type SegmentMeta = {
  readonly id: number;
  readonly level: number;
  /** The number of the newest batch in it. */
  readonly batch: number;
  /** Times of its oldest and newest row, of one UTC day. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  /** The format in which it was written. */
  readonly format: number;
};

type EncodedRows = { readonly parts: SegmentParts; readonly pages: IndexPages };
/** Few rows are stored as they came, and packed when there are more of them. */
export type NewSegment = Omit<SegmentMeta, 'id' | 'level' | 'format'> & {
  readonly account: string;
  readonly content: { readonly kind: 'raw'; readonly raw: Uint8Array } | ({ readonly kind: 'encoded' } & EncodedRows);
};
export type RolledUpSegment = Omit<SegmentMeta, 'id' | 'format'> & EncodedRows;
/** `fresh`: undefined where the rows are packed. */
export type UnflushedSegment = { readonly meta: SegmentMeta; readonly raw: Uint8Array | undefined };

export type FoundSegment = {
  readonly meta: SegmentMeta;
  /** The rows of a block that is not packed. */
  readonly raw: Uint8Array | undefined;
  /** The parts asked for, of another. */
  readonly parts: Partial<SegmentParts>;
};

type SegmentRange = {
  readonly from: number;
  readonly to: number;
  /** Parts to bring along. */
  readonly parts?: readonly SegmentPart[];
  readonly isWanted?: (meta: SegmentMeta) => boolean;
};

export type PageRequest = { readonly meta: SegmentMeta; readonly numbers: readonly number[] };

export type ReadTransaction = {
  /** Blocks that may hold rows between two times and are wanted, by their last row, newest first. */
  readonly segments: (account: string, asked: SegmentRange) => AsyncIterable<FoundSegment>;
  /** Parts of packed blocks, in the order of the heads. */
  readonly parts: <Part extends SegmentPart>(
    metas: readonly SegmentMeta[],
    parts: readonly Part[],
  ) => Promise<readonly Pick<SegmentParts, Part>[]>;
  /** Marks and pieces of packed blocks, by their numbers; those that there are. */
  readonly pages: (asked: readonly PageRequest[]) => Promise<readonly FoundPages[]>;
  /** Blocks of level 0, oldest first. */
  unflushed(account: string): Promise<readonly UnflushedSegment[]>;
  /** Tallies that start between two times, without what is in them. */
  readonly rollups: (account: string, unit: RollupUnit, from: number, to: number) => Promise<readonly RollupMeta[]>;
  readonly bodies: (account: string, unit: RollupUnit, starts: readonly number[]) => Promise<readonly StoredRollup[]>;
  /** The queries counted in tallies that start between two times. */
  readonly queries: (account: string, unit: BucketUnit, from: number, to: number) => Promise<number>;
};

/** `batch` is the newest one that was counted into it: as long as it is the same, so is all that is in the tally. */
type RollupMeta = { readonly start: number; readonly batch: number };
export type StoredRollup = RollupMeta & { readonly body: Uint8Array };

/** Counts, and what occurs at all on a day, which is kept and removed together with the rows. */
export type RollupUnit = BucketUnit | 'occurring';

export type WriteTransaction = ReadTransaction & {
  /** The first of as many numbers, larger than any before. */
  readonly batches: (count: number) => Promise<number>;
  readonly appendSegments: (segments: readonly NewSegment[]) => Promise<void>;
  readonly addRolledUp: (account: string, segments: readonly RolledUpSegment[]) => Promise<void>;
  /** Packed blocks of level 0 that were counted. */
  readonly setRolledUp: (metas: readonly SegmentMeta[]) => Promise<void>;
  readonly remove: (metas: readonly SegmentMeta[]) => Promise<void>;
  readonly removeAll: (account: string) => Promise<void>;
  /** `queries` is added to the number that is stored. */
  readonly putRollup: (
    account: string,
    unit: RollupUnit,
    rollup: StoredRollup & { readonly queries: number },
  ) => Promise<void>;
  readonly deleteRollups: (account: string) => Promise<void>;
  /** Removes everything but the number of queries of each hour and day: limits of a plan are counted from it. */
  readonly clearRollups: (account: string) => Promise<void>;
  /** Said with every counting, before its blocks go: all batches up to this one are in the tallies. */
  readonly counted: (account: string, batch: number) => Promise<void>;
};
