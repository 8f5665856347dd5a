import { DAY_MS } from '../../kit/durations.ts';
import type { AccountBatch } from '../log-engine.ts';
import type { NumberedRows } from '../rollups/pending-counts.ts';
import { newestOrder } from '../segments/newest-order.ts';
import { encodeRawRows, MAX_BATCH_ROWS } from '../segments/raw-rows.ts';
import type { Latencies, RowContent } from '../segments/row.ts';
import { dayOf, latenciesAt } from '../segments/row-table.ts';
import { scratchFloat64, scratchInt32, scratchUint8, scratchUint32, withScratch } from '../segments/scratch.ts';
import { encodeSegment, LARGE_ROWS } from '../segments/segment.ts';
import { accountRows, bucketOf, type SharedRows } from '../segments/shared-rows.ts';

/** A typed array of up to 64 bytes is part of the heap object: most accounts have one query at a time, and many cache misses cost more than it. */
const FIRST_ROWS = 4;
const MAX_ROWS = 16_384;
const GROWTH = 4;

/** Offsets of the parts of a row. */
const row = { time: 0, queryPart: 1, clientPart: 2, latency: 3 } as const;
const ROW_WIDTH = 4;

/** Rows of one account and day that are not encoded yet. */
export type RowBatch = {
  readonly account: string;
  readonly bucket: number;
  rows: number;
  /** Whether a full batch was encoded since the last `encodeDue`. */
  isBusy: boolean;
  /** Start of the day of its rows. */
  day: number;
  /** Time of the day, query part, client part and latency of each row. */
  words: Int32Array;
};

export const createRowBatch = (account: string): RowBatch => ({
  account,
  bucket: bucketOf(account),
  rows: 0,
  isBusy: false,
  day: 0,
  words: new Int32Array(FIRST_ROWS * ROW_WIDTH),
});

export const hasRoomFor = ({ rows, day }: RowBatch, time: number): boolean =>
  rows === 0 || (rows < MAX_ROWS && time >= day && time < day + DAY_MS);

export const isFullBatch = ({ rows }: RowBatch): boolean => rows === MAX_ROWS;

export function addRow(pending: RowBatch, time: number, queryPart: number, clientPart: number, latency: number): void {
  const { rows } = pending;
  if (rows === 0) pending.day = dayOf(time);
  const at = rows * ROW_WIDTH;
  if (at === pending.words.length) grow(pending);
  const { words } = pending;
  words[at + row.time] = time - pending.day;
  words[at + row.queryPart] = queryPart;
  words[at + row.clientPart] = clientPart;
  words[at + row.latency] = latency;
  pending.rows = rows + 1;
}

function grow(pending: RowBatch): void {
  const words = new Int32Array(Math.min(MAX_ROWS * ROW_WIDTH, pending.words.length * GROWTH));
  words.set(pending.words);
  pending.words = words;
}

/** Rows of one or several batches of a day, by columns. `offsets` are after `first`. */
type RowColumns = {
  readonly length: number;
  readonly first: number;
  readonly last: number;
  readonly offsets: Int32Array;
  readonly latencies: Latencies;
  readonly queryParts: Uint32Array;
  readonly clientParts: Uint32Array;
};

function columnsOf(group: readonly RowBatch[]): RowColumns {
  let length = 0;
  for (const { rows } of group) length += rows;
  const [offsets, latencies] = [scratchInt32(length), scratchUint8(length)];
  const [queryParts, clientParts] = [scratchUint32(length), scratchUint32(length)];
  let [end, first, last] = [0, DAY_MS, 0];
  for (let index = 0; index < group.length; index += 1) {
    const { words, rows } = group[index]!;
    for (let at = 0; at < rows * ROW_WIDTH; at += ROW_WIDTH, end += 1) {
      const time = words[at + row.time]!;
      offsets[end] = time;
      if (time < first) first = time;
      if (time > last) last = time;
      queryParts[end] = words[at + row.queryPart]!;
      clientParts[end] = words[at + row.clientPart]!;
      latencies[end] = words[at + row.latency]!;
    }
  }
  for (let index = 0; index < length; index += 1) offsets[index]! -= first;
  const { day } = group[0]!;
  return { length, first: day + first, last: day + last, offsets, latencies, queryParts, clientParts };
}

/** Content of rows, by their query parts and client parts. */
export type ContentOf = (queryParts: Uint32Array, clientParts: Uint32Array, isCounted: boolean) => BatchContent;
/** With pair ids for counting. */
export type BatchContent = RowContent & { readonly numbers: Pick<NumberedRows, 'pairs' | 'pairValues'> };

export function encodeBatch(pending: RowBatch, contentOf: ContentOf): AccountBatch {
  return withScratch(() => {
    const columns = columnsOf([pending]);
    const { first, last, length } = columns;
    const content = (length < LARGE_ROWS ? raw : encoded)(columns, contentOf);
    return { account: pending.account, first, last, rows: length, ...content };
  });
}

/** Encodes rows of several accounts and one day together. */
export function encodeShared(group: readonly RowBatch[], contentOf: ContentOf): SharedRows {
  return withScratch(() => {
    const columns = columnsOf(group);
    const { first, last, length } = columns;
    return { accounts: accountRows(group), first, last, rows: length, raw: rawRows(columns, contentOf) };
  });
}

function rawRows(columns: RowColumns, contentOf: ContentOf): Uint8Array {
  const { first, length, offsets, latencies, queryParts, clientParts } = columns;
  const { names, keys, rest } = contentOf(queryParts, clientParts, false);
  return encodeRawRows({ length, start: first, offsets, latencies, names, keys, rest });
}

const raw = (columns: RowColumns, contentOf: ContentOf) => ({
  content: { kind: 'raw', raw: rawRows(columns, contentOf) } as const,
});

function encoded({ length, first, offsets, latencies, queryParts, clientParts }: RowColumns, contentOf: ContentOf) {
  const [times, sequences] = [new Float64Array(length), scratchFloat64(length)];
  const [ofQueryParts, ofClientParts] = [scratchUint32(length), scratchUint32(length)];
  const order = newestOrder(offsets);
  // The batch number is not assigned yet: positions are relative to batch 0.
  const newest = (1 - Math.ceil(length / MAX_BATCH_ROWS)) * MAX_BATCH_ROWS + length - 1;
  for (let index = 0; index < length; index += 1) {
    const from = order[index]!;
    times[index] = first + offsets[from]!;
    sequences[index] = newest - index;
    ofQueryParts[index] = queryParts[from]!;
    ofClientParts[index] = clientParts[from]!;
  }
  const { numbers, ...content } = contentOf(ofQueryParts, ofClientParts, true);
  const ofLatencies = latenciesAt(latencies, order);
  const segment = encodeSegment({ length, times, sequences, latencies: ofLatencies, ...content }, 0);
  return { content: { kind: 'encoded', ...segment } as const, numbered: { ...numbers, times } };
}
