import type { PackedRecords } from '../query-log.ts';
import type { NumberedRows } from '../rollups/open-counts.ts';
import { MAX_BATCH_ROWS, packRows } from '../segments/memtable.ts';
import { newestOrder } from '../segments/newest-order.ts';
import type { RowContent } from '../segments/row.ts';
import { packBlock } from '../segments/segment.ts';

const DAY_MS = 86_400_000;
const FIRST_ROWS = 64;
const MAX_ROWS = 16_384;
/** So many are worth a block of their own; fewer wait in the log until there are more. */
const LEAST_PACKED = MAX_ROWS / 2;

/** Rows of one account and one day that are not packed yet: of each its time, its subject and its circumstances. */
export type PendingRows = {
  readonly account: string;
  rows: number;
  /** Whether a whole block of them was packed since somebody last looked. */
  isBusy: boolean;
  /** When the day of its rows begins. */
  day: number;
  start: number;
  first: number;
  last: number;
  subjects: Uint32Array;
  circumstances: Uint32Array;
  offsets: Int32Array;
};

export const newPendingRows = (account: string): PendingRows => ({
  account,
  rows: 0,
  isBusy: false,
  day: 0,
  start: 0,
  first: 0,
  last: 0,
  subjects: new Uint32Array(FIRST_ROWS),
  circumstances: new Uint32Array(FIRST_ROWS),
  offsets: new Int32Array(FIRST_ROWS),
});

export const hasRoomFor = ({ rows, day }: PendingRows, time: number): boolean =>
  rows === 0 || (rows < MAX_ROWS && time >= day && time < day + DAY_MS);

export const isWholeBlock = ({ rows }: PendingRows): boolean => rows === MAX_ROWS;

export function addRow(pending: PendingRows, time: number, subject: number, circumstances: number): void {
  const { rows } = pending;
  if (rows === 0) {
    pending.day = Math.floor(time / DAY_MS) * DAY_MS;
    pending.start = time;
    pending.first = time;
    pending.last = time;
  } else if (time > pending.last) pending.last = time;
  else if (time < pending.first) pending.first = time;
  if (rows === pending.offsets.length) grow(pending);
  pending.offsets[rows] = time - pending.start;
  pending.subjects[rows] = subject;
  pending.circumstances[rows] = circumstances;
  pending.rows = rows + 1;
}

function grow(pending: PendingRows): void {
  const length = Math.min(MAX_ROWS, pending.offsets.length * 4);
  const { subjects, circumstances, offsets } = pending;
  pending.subjects = new Uint32Array(length);
  pending.subjects.set(subjects);
  pending.circumstances = new Uint32Array(length);
  pending.circumstances.set(circumstances);
  pending.offsets = new Int32Array(length);
  pending.offsets.set(offsets);
}

/** What rows of these subjects and circumstances are. */
export type ContentOf = (subjects: Uint32Array, circumstances: Uint32Array, isCounted: boolean) => PendingContent;
/** With numbers to count them by. */
export type PendingContent = RowContent & { readonly numbers: Pick<NumberedRows, 'pairs' | 'meaning'> };

export function packPending(pending: PendingRows, contentOf: ContentOf): PackedRecords {
  const { account, first, last, rows } = pending;
  return { account, first, last, rows, ...(rows < LEAST_PACKED ? asTheyCame : packed)(pending, contentOf) };
}

function asTheyCame({ rows, start, offsets, subjects, circumstances }: PendingRows, contentOf: ContentOf) {
  const { names, keys, rest } = contentOf(subjects.subarray(0, rows), circumstances.subarray(0, rows), false);
  return {
    content: { kind: 'as they came', fresh: packRows({ length: rows, start, offsets, names, keys, rest }) } as const,
  };
}

function packed({ rows, start, offsets, subjects, circumstances }: PendingRows, contentOf: ContentOf) {
  const [times, sequences] = [new Float64Array(rows), new Float64Array(rows)];
  const [ofSubjects, ofCircumstances] = [new Uint32Array(rows), new Uint32Array(rows)];
  const order = newestOrder(offsets.subarray(0, rows));
  // The batch they come in is not known yet: counted back from it, it is 0.
  const newest = (1 - Math.ceil(rows / MAX_BATCH_ROWS)) * MAX_BATCH_ROWS + rows - 1;
  for (let place = 0; place < rows; place += 1) {
    const row = order[place]!;
    times[place] = start + offsets[row]!;
    sequences[place] = newest - place;
    ofSubjects[place] = subjects[row]!;
    ofCircumstances[place] = circumstances[row]!;
  }
  const { numbers, ...content } = contentOf(ofSubjects, ofCircumstances, true);
  const block = packBlock({ length: rows, times, sequences, ...content }, 0);
  return { content: { kind: 'packed', ...block } as const, numbered: { ...numbers, times } };
}
