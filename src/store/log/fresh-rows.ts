import { crc32 } from 'node:zlib';
import type { Value } from './columns.ts';
import { DamagedBytes } from './damaged-bytes.ts';

/*
 * Rows as they come, packed: a head, the values of all columns as JSON, then of each row how much later it was than the first, and
 * the codes of each column. A column whose rows all have one value has no codes. Rows are packed far more often than anything
 * else is, a few at a time: the columns have no names, only their order, and all values are one text.
 */
const at = { sum: 0, rows: 4, start: 8, valueBytes: 16, columns: 20, widths: 24 } as const;
const ALIGNMENT = 4;
const aligned = (length: number): number => (length + ALIGNMENT - 1) & -ALIGNMENT;

export type PackableRows = {
  readonly length: number;
  readonly start: number;
  /** Milliseconds after the start, which may be negative. */
  readonly offsets: Int32Array;
  readonly columns: readonly { readonly values: readonly Value[]; readonly codes: ArrayLike<number> }[];
};

const widthFor = (most: number): number => (most === 0 ? 0 : most <= 0x100 ? 1 : most <= 0x10000 ? 2 : 4);

export function packRows({ length, start, offsets, columns }: PackableRows): Uint8Array {
  const values = Buffer.from(JSON.stringify(columns.map((column) => column.values)));
  const headBytes = at.widths + aligned(columns.length);
  const codesAt = aligned(headBytes + values.length);
  const widths = columns.map((column) => (column.values.length <= 1 ? 0 : widthFor(column.values.length)));
  const size = widths.reduce((sum, width) => sum + aligned(width * length), codesAt + 4 * length);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(at.rows, length, true);
  view.setFloat64(at.start, start, true);
  view.setUint32(at.valueBytes, values.length, true);
  view.setUint32(at.columns, columns.length, true);
  bytes.set(widths, at.widths);
  bytes.set(values, headBytes);
  new Int32Array(bytes.buffer, codesAt, length).set(offsets.length === length ? offsets : offsets.subarray(0, length));
  let end = codesAt + 4 * length;
  for (const [place, width] of widths.entries()) {
    if (width === 0) continue;
    const to = codesIn(bytes.buffer, end, length, width);
    const { codes } = columns[place]!;
    for (let row = 0; row < length; row += 1) to[row] = codes[row]!;
    end += aligned(width * length);
  }
  view.setUint32(at.sum, crc32(bytes.subarray(at.rows)), true);
  return bytes;
}

const codesIn = (buffer: ArrayBufferLike, start: number, length: number, width: number) =>
  width === 1
    ? new Uint8Array(buffer, start, length)
    : width === 2
      ? new Uint16Array(buffer, start, length)
      : new Uint32Array(buffer, start, length);

/** As many rows as one batch may number. Batch numbers are about as large as times: the product must stay exact. */
export const MAX_BATCH_ROWS = 4096;

/** `batch`: the number of the batch these rows came in; with their place in it, it makes their sequence. */
export function readRows(given: Uint8Array, batch: number) {
  // Typed arrays can only look at bytes that begin at a multiple of their width.
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const { buffer, byteOffset } = bytes;
  if (bytes.length < at.widths) throw new DamagedBytes();
  const view = new DataView(buffer, byteOffset);
  if (view.getUint32(at.sum, true) !== crc32(bytes.subarray(at.rows))) throw new DamagedBytes();
  const length = view.getUint32(at.rows, true);
  const start = view.getFloat64(at.start, true);
  const valueBytes = view.getUint32(at.valueBytes, true);
  const columnCount = view.getUint32(at.columns, true);
  const headBytes = at.widths + aligned(columnCount);
  const text = Buffer.from(buffer, byteOffset + headBytes, valueBytes).toString('utf8');
  const values = JSON.parse(text) as readonly (readonly Value[])[];
  let end = aligned(headBytes + valueBytes);
  const offsets = new Int32Array(buffer, byteOffset + end, length);
  end += 4 * length;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  for (let row = 0; row < length; row += 1) {
    times[row] = start + offsets[row]!;
    sequences[row] = batch * MAX_BATCH_ROWS + row;
  }
  const columns = Array.from({ length: columnCount }, (_, place) => {
    const width = bytes[at.widths + place]!;
    const codes = new Uint32Array(length);
    if (width > 0) {
      codes.set(codesIn(buffer, byteOffset + end, length, width));
      end += aligned(width * length);
    }
    return { values: values[place]!, codes };
  });
  return { length, times, sequences, columns };
}
