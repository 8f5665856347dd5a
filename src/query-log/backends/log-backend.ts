import type { BucketUnit } from '../../domain/statistics.ts';
import type { FoundPieces, PackedPieces } from '../segments/packed-row-pages.ts';
import type { BlockPart, PackedBlock } from '../segments/segment.ts';

/** The form of all that is kept. What has another was written by another version and cannot be read. */
export const FORMAT = 4;

/**
 * Blocks of rows and tallies, wherever they are kept. What the log means stands above this and is the same for every
 * database; a database only has to keep runs of bytes, find them by account and time, and commit.
 */
export type Shelf = {
  /** Sees one state, whatever is written meanwhile. */
  readonly read: <T>(work: (view: ShelfView) => Promise<T>) => Promise<T>;
  /** One transaction. Nobody else folds, clears or forgets the blocks of these accounts at the same time. */
  readonly change: <T>(accounts: readonly string[], work: (change: ShelfChange) => Promise<T>) => Promise<T>;
  /** Every account that has rows or statistics. */
  readonly accounts: () => Promise<readonly string[]>;
  /** What was written and not counted yet. */
  readonly tails: () => Promise<readonly Tail[]>;
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
    tallies: Readonly<Record<BucketUnit, number>>,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Tail = {
  readonly account: string;
  readonly blocks: number;
  /** Rows as they came, and packed ones. */
  readonly rows: number;
  readonly packedRows: number;
  readonly first: number;
};

/** Level 0: not counted in tallies yet; its rows are as they came, or packed already. From 1 on: packed and counted. */
export type BlockHead = {
  readonly id: number;
  readonly level: number;
  /** The number of the newest batch in it. */
  readonly batch: number;
  /** Times of its oldest and newest row, of one UTC day. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
};

type PackedRows = { readonly parts: PackedBlock; readonly pieces: PackedPieces };
/** Few rows are stored as they came, and packed when there are more of them. */
export type FreshBlock = Omit<BlockHead, 'id' | 'level'> & {
  readonly account: string;
  readonly content:
    | { readonly kind: 'as they came'; readonly fresh: Uint8Array }
    | ({ readonly kind: 'packed' } & PackedRows);
};
export type CountedBlock = Omit<BlockHead, 'id'> & PackedRows;
/** `fresh`: undefined where the rows are packed. */
export type TailBlock = { readonly head: BlockHead; readonly fresh: Uint8Array | undefined };

export type FoundBlock = {
  readonly head: BlockHead;
  /** The rows of a block that is not packed. */
  readonly fresh: Uint8Array | undefined;
  /** The parts asked for, of another. */
  readonly parts: Partial<PackedBlock>;
};

type AskedBlocks = {
  readonly from: number;
  readonly to: number;
  /** Parts to bring along. */
  readonly parts?: readonly BlockPart[];
  readonly isWanted?: (head: BlockHead) => boolean;
};

export type AskedPieces = { readonly head: BlockHead; readonly numbers: readonly number[] };

export type ShelfView = {
  /** Blocks that may hold rows between two times and are wanted, by their last row, newest first. */
  readonly blocks: (account: string, asked: AskedBlocks) => AsyncIterable<FoundBlock>;
  /** Parts of packed blocks, in the order of the heads. */
  readonly parts: <Part extends BlockPart>(
    heads: readonly BlockHead[],
    parts: readonly Part[],
  ) => Promise<readonly Pick<PackedBlock, Part>[]>;
  /** Marks and pieces of packed blocks, by their numbers; those that there are. */
  readonly pieces: (asked: readonly AskedPieces[]) => Promise<readonly FoundPieces[]>;
  /** Blocks of level 0, oldest first. */
  tail(account: string): Promise<readonly TailBlock[]>;
  /** Tallies that start between two times, without what is in them. */
  readonly tallies: (account: string, unit: TallyUnit, from: number, to: number) => Promise<readonly TallyHead[]>;
  readonly bodies: (account: string, unit: TallyUnit, starts: readonly number[]) => Promise<readonly StoredTally[]>;
  /** The queries counted in tallies that start between two times. */
  readonly queries: (account: string, unit: BucketUnit, from: number, to: number) => Promise<number>;
};

/** `batch` is the newest one that was counted into it: as long as it is the same, so is all that is in the tally. */
type TallyHead = { readonly start: number; readonly batch: number };
export type StoredTally = TallyHead & { readonly body: Uint8Array };

/** Counts, and what occurs at all on a day, which is kept and removed together with the rows. */
export type TallyUnit = BucketUnit | 'occurring';

export type ShelfChange = ShelfView & {
  /** The first of as many numbers, larger than any before. */
  readonly batches: (count: number) => Promise<number>;
  readonly addFresh: (blocks: readonly FreshBlock[]) => Promise<void>;
  readonly addCounted: (account: string, blocks: readonly CountedBlock[]) => Promise<void>;
  /** Packed blocks of level 0 that were counted. */
  readonly setCounted: (heads: readonly BlockHead[]) => Promise<void>;
  readonly remove: (heads: readonly BlockHead[]) => Promise<void>;
  readonly removeAll: (account: string) => Promise<void>;
  /** `queries` is added to the number that is stored. */
  readonly putTally: (
    account: string,
    unit: TallyUnit,
    tally: StoredTally & { readonly queries: number },
  ) => Promise<void>;
  readonly removeTallies: (account: string) => Promise<void>;
  /** Removes everything but the number of queries of each hour and day: limits of a plan are counted from it. */
  readonly clearTallies: (account: string) => Promise<void>;
  /** Said with every counting, before its blocks go: all batches up to this one are in the tallies. */
  readonly counted: (account: string, batch: number) => Promise<void>;
};
