import { crc32 } from 'node:zlib';
import { ChecksumError, parseStoredJson } from './checksum-error.ts';
import type { Value } from './columns.ts';
import { createDictionary, encodeValue } from './dictionary-encoder.ts';
import { latencyMs, NOT_MEASURED } from './latency.ts';
import { MAX_BATCH_ROWS } from './raw-rows.ts';
import { type EncodedTuples, type Latencies, type RowTable, tableFields } from './row.ts';
import type { PositionOrigin, RowPosition } from './row-position.ts';
import { latenciesAt } from './row-table.ts';
import { scratchUint32 } from './scratch.ts';
import { codesAt, compactCodes, valuesAt } from './tuples.ts';

/** Rows per page: more make a single row slower to read, fewer take more space in total. */
export const PAGE_ROWS = 128;

/*
 * A row page: header; time, position in the batch and codes of each row, four bits per code if that is enough; then the
 * size of each value by field, the values, and a latency per row. Single values are read without the others.
 * Pages of versions that did not measure latencies end with the values.
 */
const at = { sum: 0, rows: 4, sizesAt: 8, widths: 12 } as const;
const BATCH = tableFields.length;
const COLUMNS = BATCH + 1;
const COUNTS_AT = at.widths + COLUMNS;
const ALIGNMENT = 4;
const ROWS_AT = Math.ceil((COUNTS_AT + COLUMNS) / ALIGNMENT) * ALIGNMENT;
const TIME_BYTES = 4;
const SHORT = 2;
const HALF_BYTE = 4;
const BYTE = 8;
/** Flag in the size of a value that is JSON: all but strings. Null has size 0. */
const IS_JSON = 0x8000;

type PageColumn = { readonly values: readonly Value[]; readonly codes: Uint32Array };

/** Rows of one day. */
export function encodeRowPage(
  table: RowTable,
  rows: Uint32Array,
  { dayStart, batch: newest }: PositionOrigin,
): Uint8Array {
  const { length } = rows;
  const columns: PageColumn[] = [columnOf(table.names.values, codesAt(table.names.codes, rows))];
  for (const part of [table.keys, table.rest]) columns.push(...columnsOf(part, codesAt(part.codes, rows)));
  const batches = createDictionary();
  const [batch, positions] = [scratchUint32(length), new Uint16Array(length)];
  const times = scratchUint32(length);
  for (let index = 0; index < length; index += 1) {
    const sequence = table.sequences[rows[index]!]!;
    const number = Math.floor(sequence / MAX_BATCH_ROWS);
    batch[index] = encodeValue(batches, number - newest);
    positions[index] = sequence - number * MAX_BATCH_ROWS;
    times[index] = table.times[rows[index]!]! - dayStart;
  }
  columns.push({ values: batches.values, codes: batch });
  return written({ times, positions: positions, latencies: latenciesAt(table.latencies, rows) }, columns);
}

const columnsOf = ({ fields }: EncodedTuples, tuples: Uint32Array): readonly PageColumn[] =>
  fields.map(({ values, codes }) =>
    values.length === 1 ? { values, codes: tuples } : columnOf(values, codesAt(codes, tuples)),
  );

function columnOf(values: readonly Value[], codes: Uint32Array): PageColumn {
  const used = compactCodes(codes, values.length);
  return { values: valuesAt(values, used.usedCodes), codes: used.codes };
}

const widthFor = (values: number): number => (values <= 1 ? 0 : values <= 2 ** HALF_BYTE ? HALF_BYTE : BYTE);
const bytesFor = (rows: number, width: number): number => (rows * width + BYTE - 1) >> 3;

type PageRows = { readonly times: Uint32Array; readonly positions: Uint16Array; readonly latencies: Latencies };

function written({ times, positions, latencies }: PageRows, columns: readonly PageColumn[]): Uint8Array {
  const { length } = times;
  const widths = columns.map(({ values }) => widthFor(values.length));
  const codesAt = ROWS_AT + length * (TIME_BYTES + SHORT);
  const sizesAt = evenly(widths.reduce((end, width) => end + bytesFor(length, width), codesAt));
  const all = columns.flatMap(({ values }) => values);
  const texts = all.map((value) => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)));
  const text = Buffer.from(texts.join(''));
  const latenciesFrom = sizesAt + all.length * SHORT + text.length;
  const bytes = new Uint8Array(latenciesFrom + length);
  const head = new DataView(bytes.buffer);
  head.setUint32(at.rows, length, true);
  head.setUint32(at.sizesAt, sizesAt, true);
  bytes.set(widths, at.widths);
  for (const [index, { values }] of columns.entries()) bytes[COUNTS_AT + index] = values.length;
  new Uint32Array(bytes.buffer, ROWS_AT, length).set(times);
  new Uint16Array(bytes.buffer, ROWS_AT + length * TIME_BYTES, length).set(positions);
  let end = codesAt;
  for (const [index, width] of widths.entries()) {
    const { codes } = columns[index]!;
    if (width === BYTE) bytes.set(codes, end);
    if (width === HALF_BYTE)
      for (let row = 0; row < length; row += 1) bytes[end + (row >> 1)]! |= codes[row]! << ((row & 1) * HALF_BYTE);
    end += bytesFor(length, width);
  }
  const sizes = new Uint16Array(bytes.buffer, sizesAt, all.length);
  const isPlain = text.length === texts.reduce((sum, { length: size }) => sum + size, 0);
  for (const [index, value] of all.entries()) {
    const size = isPlain ? texts[index]!.length : Buffer.byteLength(texts[index]!);
    sizes[index] = typeof value === 'string' ? size : size + IS_JSON;
  }
  bytes.set(text, sizesAt + all.length * SHORT);
  bytes.set(latencies, latenciesFrom);
  head.setUint32(at.sum, crc32(bytes.subarray(at.rows)), true);
  return bytes;
}
const evenly = (at: number): number => at + (at & 1);

export type RowPage = {
  readonly length: number;
  readonly at: (row: number) => RowPosition;
  readonly valueAt: (row: number, column: number) => Value;
  /** Values of all fields, in order, and the latency. */
  readonly read: (row: number) => readonly Value[];
};

export function openRowPage(bytes: Uint8Array, { dayStart, batch: newest }: PositionOrigin): RowPage {
  if (bytes.length < ROWS_AT) throw new ChecksumError();
  // One DataView: creating a view per column takes longer than reading a row.
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (numbers.getUint32(at.sum, true) !== crc32(bytes.subarray(at.rows))) throw new ChecksumError();
  const [length, sizesAt] = [numbers.getUint32(at.rows, true), numbers.getUint32(at.sizesAt, true)];
  const positionsAt = ROWS_AT + length * TIME_BYTES;
  const columns: OpenColumn[] = [];
  let [codesAt, valuesAt, start] = [positionsAt + length * SHORT, sizesAt, 0];
  for (let index = 0; index < COLUMNS; index += 1) {
    const width = bytes[at.widths + index]!;
    columns.push({ width, codesAt, valuesAt, start });
    codesAt += bytesFor(length, width);
    for (let count = bytes[COUNTS_AT + index]!; count > 0; count -= 1, valuesAt += SHORT)
      start += numbers.getUint16(valuesAt, true) & ~IS_JSON;
  }
  const texts = textsIn(Buffer.from(bytes.buffer, bytes.byteOffset + valuesAt, start));
  const latenciesFrom = valuesAt + start;
  const codeAt = (row: number, { width, codesAt: first }: OpenColumn): number => {
    if (width === 0) return 0;
    if (width === BYTE) return bytes[first + row]!;
    return (bytes[first + (row >> 1)]! >> ((row & 1) * HALF_BYTE)) & (2 ** HALF_BYTE - 1);
  };
  const valueAt = (row: number, index: number): Value => {
    const column = columns[index]!;
    let { start: from, valuesAt: sizeAt } = column;
    for (let before = codeAt(row, column); before > 0; before -= 1, sizeAt += SHORT)
      from += numbers.getUint16(sizeAt, true) & ~IS_JSON;
    const size = numbers.getUint16(sizeAt, true);
    if (size === IS_JSON) return null;
    const written = texts(from, from + (size & ~IS_JSON));
    if (size < IS_JSON) return written;
    // Most values other than strings are numbers, and Number() is faster than JSON.parse.
    const number = Number(written);
    return Number.isNaN(number) ? parseStoredJson(written) : number;
  };
  return {
    length,
    at: (row) => ({
      time: dayStart + numbers.getUint32(ROWS_AT + row * TIME_BYTES, true),
      sequence:
        (newest + (valueAt(row, BATCH) as number)) * MAX_BATCH_ROWS +
        numbers.getUint16(positionsAt + row * SHORT, true),
    }),
    valueAt,
    read(row) {
      const values: Value[] = [];
      for (let index = 0; index < BATCH; index += 1) values.push(valueAt(row, index));
      values.push(latencyMs(bytes[latenciesFrom + row] ?? NOT_MEASURED));
      return values;
    },
  };
}

/** Offsets of the codes, the value sizes and the text of a field. */
type OpenColumn = {
  readonly width: number;
  readonly codesAt: number;
  readonly valuesAt: number;
  readonly start: number;
};

/** Returns substrings by byte offset. Most text is ASCII: it is decoded once and sliced. */
function textsIn(written: Buffer): (from: number, to: number) => string {
  const all = written.toString();
  const isPlain = all.length === written.length;
  return (from, to) =>
    isPlain && to - from <= LONGEST_COPIED ? all.slice(from, to) : written.toString('utf8', from, to);
}
/** V8 copies short slices. A longer slice would keep the text of the whole page in memory. */
const LONGEST_COPIED = 12;
