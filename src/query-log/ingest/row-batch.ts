import { DAY_MS } from '../../kit/durations.ts';
import type { EncodedBatch } from '../log-engine.ts';
import type { NumberedRows } from '../rollups/pending-counts.ts';
import { newestOrder } from '../segments/newest-order.ts';
import { encodeRawRows, MAX_BATCH_ROWS } from '../segments/raw-rows.ts';
import type { Latencies, RowContent } from '../segments/row.ts';
import { latenciesAt } from '../segments/row-table.ts';
import { encodeSegment } from '../segments/segment.ts';

const FIRST_ROWS = 64;
const MAX_ROWS = 16_384;
/** From this size on a batch becomes its own segment; smaller ones are stored raw. */
const LEAST_ENCODED = MAX_ROWS / 2;

/** Rows of one account and day that are not encoded yet: time, query part, client part and latency of each. */
export type RowBatch = {
  readonly account: string;
  rows: number;
  /** Whether a full batch was encoded since the last `encodeDue`. */
  isBusy: boolean;
  /** Start of the day of its rows. */
  day: number;
  start: number;
  first: number;
  last: number;
  queryParts: Uint32Array;
  clientPart: Uint32Array;
  offsets: Int32Array;
  latencies: Latencies;
};

export const createRowBatch = (account: string): RowBatch => ({
  account,
  rows: 0,
  isBusy: false,
  day: 0,
  start: 0,
  first: 0,
  last: 0,
  queryParts: new Uint32Array(FIRST_ROWS),
  clientPart: new Uint32Array(FIRST_ROWS),
  offsets: new Int32Array(FIRST_ROWS),
  latencies: new Uint8Array(FIRST_ROWS),
});

export const hasRoomFor = ({ rows, day }: RowBatch, time: number): boolean =>
  rows === 0 || (rows < MAX_ROWS && time >= day && time < day + DAY_MS);

export const isFullBatch = ({ rows }: RowBatch): boolean => rows === MAX_ROWS;

export function addRow(pending: RowBatch, time: number, queryPart: number, clientPart: number, latency: number): void {
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
  pending.queryParts[rows] = queryPart;
  pending.clientPart[rows] = clientPart;
  pending.latencies[rows] = latency;
  pending.rows = rows + 1;
}

function grow(pending: RowBatch): void {
  const length = Math.min(MAX_ROWS, pending.offsets.length * 4);
  const { queryParts, clientPart, offsets, latencies } = pending;
  pending.queryParts = new Uint32Array(length);
  pending.queryParts.set(queryParts);
  pending.clientPart = new Uint32Array(length);
  pending.clientPart.set(clientPart);
  pending.offsets = new Int32Array(length);
  pending.offsets.set(offsets);
  pending.latencies = new Uint8Array(length);
  pending.latencies.set(latencies);
}

/** Content of rows, by their query parts and client parts. */
export type ContentOf = (queryParts: Uint32Array, clientPart: Uint32Array, isCounted: boolean) => BatchContent;
/** With pair ids for counting. */
export type BatchContent = RowContent & { readonly numbers: Pick<NumberedRows, 'pairs' | 'pairValues'> };

export function encodeBatch(pending: RowBatch, contentOf: ContentOf): EncodedBatch {
  const { account, first, last, rows } = pending;
  return { account, first, last, rows, ...(rows < LEAST_ENCODED ? raw : encoded)(pending, contentOf) };
}

function raw({ rows, start, offsets, latencies, queryParts, clientPart }: RowBatch, contentOf: ContentOf) {
  const { names, keys, rest } = contentOf(queryParts.subarray(0, rows), clientPart.subarray(0, rows), false);
  return {
    content: {
      kind: 'raw',
      raw: encodeRawRows({ length: rows, start, offsets, latencies, names, keys, rest }),
    } as const,
  };
}

function encoded({ rows, start, offsets, latencies, queryParts, clientPart }: RowBatch, contentOf: ContentOf) {
  const [times, sequences] = [new Float64Array(rows), new Float64Array(rows)];
  const [ofQueryParts, ofClientParts] = [new Uint32Array(rows), new Uint32Array(rows)];
  const order = newestOrder(offsets.subarray(0, rows));
  // The batch number is not assigned yet: positions are relative to batch 0.
  const newest = (1 - Math.ceil(rows / MAX_BATCH_ROWS)) * MAX_BATCH_ROWS + rows - 1;
  for (let place = 0; place < rows; place += 1) {
    const row = order[place]!;
    times[place] = start + offsets[row]!;
    sequences[place] = newest - place;
    ofQueryParts[place] = queryParts[row]!;
    ofClientParts[place] = clientPart[row]!;
  }
  const { numbers, ...content } = contentOf(ofQueryParts, ofClientParts, true);
  const ofLatencies = latenciesAt(latencies, order);
  const segment = encodeSegment({ length: rows, times, sequences, latencies: ofLatencies, ...content }, 0);
  return { content: { kind: 'encoded', ...segment } as const, numbered: { ...numbers, times } };
}
