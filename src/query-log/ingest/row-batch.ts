import { DAY_MS } from '../../kit/durations.ts';
import type { AccountBatch } from '../log-engine.ts';
import type { NumberedRows } from '../rollups/pending-counts.ts';
import { newestOrder } from '../segments/newest-order.ts';
import { encodeRawRows, MAX_BATCH_ROWS } from '../segments/raw-rows.ts';
import type { Latencies, RowContent } from '../segments/row.ts';
import { latenciesAt } from '../segments/row-table.ts';
import { encodeSegment, LARGE_ROWS } from '../segments/segment.ts';
import { bucketOf, placesOf, type SharedRows } from '../segments/shared-rows.ts';

const FIRST_ROWS = 64;
const MAX_ROWS = 16_384;

/** Rows of one account and day that are not encoded yet: time, query part, client part and latency of each. */
export type RowBatch = {
  readonly account: string;
  readonly bucket: number;
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
  bucket: bucketOf(account),
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

export function encodeBatch(pending: RowBatch, contentOf: ContentOf): AccountBatch {
  const { account, first, last, rows } = pending;
  return { account, first, last, rows, ...(rows < LARGE_ROWS ? raw : encoded)(pending, contentOf) };
}

/** Encodes rows of several accounts and one day together. */
export function encodeShared(group: readonly RowBatch[], contentOf: ContentOf): SharedRows {
  const length = group.reduce((sum, { rows }) => sum + rows, 0);
  const [queryParts, clientPart] = [new Uint32Array(length), new Uint32Array(length)];
  const [offsets, latencies] = [new Int32Array(length), new Uint8Array(length)];
  const { start } = group[0]!;
  let [end, first, last] = [0, group[0]!.first, group[0]!.last];
  for (const each of group) {
    for (let row = 0; row < each.rows; row += 1, end += 1) {
      queryParts[end] = each.queryParts[row]!;
      clientPart[end] = each.clientPart[row]!;
      offsets[end] = each.offsets[row]! + each.start - start;
      latencies[end] = each.latencies[row]!;
    }
    first = Math.min(first, each.first);
    last = Math.max(last, each.last);
  }
  const { names, keys, rest } = contentOf(queryParts, clientPart, false);
  const rows = encodeRawRows({ length, start, offsets, latencies, names, keys, rest });
  return { accounts: placesOf(group), first, last, rows: length, raw: rows };
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
