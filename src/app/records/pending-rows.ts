import { MAX_ROWS, packBlock } from '../../store/log/block.ts';
import { MAX_BATCH_ROWS, packRows } from '../../store/log/fresh-rows.ts';
import type { PackedRecords } from '../../store/log/log-over.ts';
import type { NumberedRows } from '../../store/log/open-counts.ts';
import type { RowContent } from '../../store/log/row.ts';
import { cutByDay } from '../../store/log/table.ts';

const DAY_MS = 86_400_000;
const FIRST_ROWS = 64;
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

/** What the rows are, and the numbers that it follows from. */
export type PendingContent = RowContent & { readonly numbers: Pick<NumberedRows, 'names' | 'keys' | 'meaning'> };

/** `content` is of its rows. */
export function packPending(pending: PendingRows, content: PendingContent): PackedRecords {
  const { account, first, last, rows } = pending;
  return { account, first, last, rows, ...(rows < LEAST_PACKED ? asTheyCame : packed)(pending, content) };
}

function asTheyCame({ rows, start, offsets }: PendingRows, content: RowContent) {
  return { content: { kind: 'as they came', fresh: packRows({ length: rows, start, offsets, ...content }) } as const };
}

function packed({ rows, start, offsets }: PendingRows, { numbers, ...content }: PendingContent) {
  const [times, sequences] = [new Float64Array(rows), new Float64Array(rows)];
  // The batch they come in is not known yet: counted back from it, it is 0.
  const firstSequence = (1 - Math.ceil(rows / MAX_BATCH_ROWS)) * MAX_BATCH_ROWS;
  for (let row = 0; row < rows; row += 1) {
    times[row] = start + offsets[row]!;
    sequences[row] = firstSequence + row;
  }
  const [table] = cutByDay({ length: rows, times, sequences, ...content }, MAX_ROWS);
  return {
    content: { kind: 'packed', ...packBlock(table!, 0) } as const,
    numbered: { ...numbers, start, offsets: offsets.slice(0, rows) },
  };
}
