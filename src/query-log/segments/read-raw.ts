import { crc32 } from 'node:zlib';
import type { SegmentMeta } from '../backends/log-backend.ts';
import { ChecksumError, parseStoredJson } from './checksum-error.ts';
import type { Value } from './columns.ts';
import { MAX_BATCH_ROWS, readRawRows } from './raw-rows.ts';
import { type EncodedColumn, keyFields, type RowTable } from './row.ts';
import { rowsAt } from './shared-rows.ts';
import { encodeTuples } from './tuples.ts';

/** The rows of a raw segment of any readable format, or of one account in a shared batch. */
export function readRaw(bytes: Uint8Array, { batch, format, start, rows }: SegmentMeta): RowTable {
  if (format === 2) return readFormat2(bytes, batch);
  const table = readRawRows(bytes, batch);
  return start === undefined ? table : rowsAt(table, { start, rows });
}

// Format 2 had one code per row and field, without tuples.
const at = { sum: 0, rows: 4, start: 8, valueBytes: 16, columns: 20, widths: 24 } as const;
const ALIGNMENT = 4;
const aligned = (length: number): number => (length + ALIGNMENT - 1) & -ALIGNMENT;

function readFormat2(stored: Uint8Array, batch: number): RowTable {
  // A copy, since typed arrays need aligned offsets.
  const bytes = new Uint8Array(stored);
  const view = new DataView(bytes.buffer);
  if (bytes.length < at.widths || view.getUint32(at.sum, true) !== crc32(bytes.subarray(at.rows)))
    throw new ChecksumError();
  const [length, valueBytes] = [view.getUint32(at.rows, true), view.getUint32(at.valueBytes, true)];
  const start = view.getFloat64(at.start, true);
  const valuesAt = at.widths + aligned(view.getUint32(at.columns, true));
  const values = parseStoredJson<readonly (readonly Value[])[]>(
    Buffer.from(bytes.buffer, valuesAt, valueBytes).toString('utf8'),
  );
  let end = aligned(valuesAt + valueBytes);
  const offsets = new Int32Array(bytes.buffer, end, length);
  end += offsets.byteLength;
  const columns = values.map((ofColumn, index): EncodedColumn => {
    const width = bytes[at.widths + index]!;
    const codes = Uint32Array.from({ length }, (_, row) => codeAt(view, end + row * width, width));
    end += aligned(width * length);
    return { values: ofColumn, codes };
  });
  return {
    length,
    times: Float64Array.from(offsets, (offset) => start + offset),
    sequences: Float64Array.from(offsets, (_, row) => batch * MAX_BATCH_ROWS + row),
    latencies: new Uint8Array(length),
    names: columns[0]!,
    keys: encodeTuples(columns.slice(1, 1 + keyFields.length), length),
    rest: encodeTuples(columns.slice(1 + keyFields.length), length),
  };
}

function codeAt(view: DataView, offset: number, width: number): number {
  if (width === 0) return 0;
  if (width === 1) return view.getUint8(offset);
  return width === 2 ? view.getUint16(offset, true) : view.getUint32(offset, true);
}
