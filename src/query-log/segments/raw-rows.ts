import { crc32 } from 'node:zlib';
import { ChecksumError } from './checksum-error.ts';
import { encodeValuesAsJson, type Value } from './columns.ts';
import { type EncodedColumn, keyFields, type Latencies, type RowContent, type RowTable, restFields } from './row.ts';

/*
 * Raw rows: header, all values as JSON, per row the offset of its time and three codes, per tuple the codes of its
 * fields, then a latency per row. Columns with one value have no codes. Raw rows are written most often, a few at a time, so columns have a
 * fixed order instead of names, and all values are one text.
 */
const at = { sum: 0, rows: 4, start: 8, valueBytes: 16, keys: 20, rest: 24, widths: 28 } as const;
const ALIGNMENT = 4;
const aligned = (length: number): number => (length + ALIGNMENT - 1) & -ALIGNMENT;
const OF_ROWS = 3;
const COLUMNS = OF_ROWS + keyFields.length + restFields.length;
/** Whether latencies follow. The byte was 0 before there were latencies, and versions of that time ignore it. */
const HAS_LATENCIES = at.widths + COLUMNS;
const HEAD_BYTES = aligned(HAS_LATENCIES + 1);
const OPENING_BRACKET = 0x5b;

export type RawRows = RowContent & {
  readonly length: number;
  readonly start: number;
  /** Milliseconds after `start`, possibly negative. */
  readonly offsets: Int32Array;
  readonly latencies: Latencies;
};

const widthFor = (values: number): number => (values <= 1 ? 0 : values <= 0x100 ? 1 : values <= 0x10000 ? 2 : 4);

export function encodeRawRows({ length, start, offsets, latencies, names, keys, rest }: RawRows): Uint8Array {
  const fields = [...keys.fields, ...rest.fields];
  const nameValues = names.encodedValues?.() ?? encodeValuesAsJson(names.values, false);
  const fieldValues = Buffer.from(`,${JSON.stringify(fields.map((field) => field.values)).slice(1)}`);
  const valueBytes = 1 + nameValues.size + fieldValues.length;
  const columns = [
    { codes: names.codes, count: nameValues.count },
    { codes: keys.codes, count: keys.length },
    { codes: rest.codes, count: rest.length },
    ...fields.map((field) => ({ codes: field.codes, count: field.values.length })),
  ];
  const lengths = lengthsOf(length, keys.length, rest.length);
  const widths = columns.map(({ count }) => widthFor(count));
  const offsetsAt = aligned(HEAD_BYTES + valueBytes);
  const latenciesAt = widths.reduce(
    (sum, width, column) => sum + aligned(width * lengths[column]!),
    offsetsAt + 4 * length,
  );
  const bytes = new Uint8Array(latenciesAt + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(at.rows, length, true);
  view.setFloat64(at.start, start, true);
  view.setUint32(at.valueBytes, valueBytes, true);
  view.setUint32(at.keys, keys.length, true);
  view.setUint32(at.rest, rest.length, true);
  bytes.set(widths, at.widths);
  bytes[HAS_LATENCIES] = 1;
  bytes[HEAD_BYTES] = OPENING_BRACKET;
  nameValues.write(bytes.subarray(HEAD_BYTES + 1, HEAD_BYTES + 1 + nameValues.size));
  bytes.set(fieldValues, HEAD_BYTES + 1 + nameValues.size);
  bytes.set(latencies.subarray(0, length), latenciesAt);
  new Int32Array(bytes.buffer, offsetsAt, length).set(offsets.subarray(0, length));
  let end = offsetsAt + 4 * length;
  for (const [index, width] of widths.entries()) {
    if (width === 0) continue;
    codesIn(bytes.buffer, end, lengths[index]!, width).set(columns[index]!.codes);
    end += aligned(width * lengths[index]!);
  }
  view.setUint32(at.sum, crc32(bytes.subarray(at.rows)), true);
  return bytes;
}

/** Number of codes of each column. */
const lengthsOf = (rows: number, keys: number, rest: number): readonly number[] => [
  rows,
  rows,
  rows,
  ...keyFields.map(() => keys),
  ...restFields.map(() => rest),
];

const codesIn = (buffer: ArrayBufferLike, start: number, length: number, width: number) =>
  width === 1
    ? new Uint8Array(buffer, start, length)
    : width === 2
      ? new Uint16Array(buffer, start, length)
      : new Uint32Array(buffer, start, length);

/** Rows per batch number. Batch numbers are about as large as times: the product must stay below 2^53. */
export const MAX_BATCH_ROWS = 4096;

/** `batch`: number of the last batch of the rows; with their position it gives the sequence. */
export function readRawRows(encoded: Uint8Array, batch: number): RowTable {
  // Typed arrays need an aligned offset.
  const bytes = encoded.byteOffset % ALIGNMENT === 0 ? encoded : new Uint8Array(encoded);
  const { buffer, byteOffset } = bytes;
  if (bytes.length < HEAD_BYTES) throw new ChecksumError();
  const view = new DataView(buffer, byteOffset);
  if (view.getUint32(at.sum, true) !== crc32(bytes.subarray(at.rows))) throw new ChecksumError();
  const length = view.getUint32(at.rows, true);
  const start = view.getFloat64(at.start, true);
  const valueBytes = view.getUint32(at.valueBytes, true);
  const [keys, rest] = [view.getUint32(at.keys, true), view.getUint32(at.rest, true)];
  const text = Buffer.from(buffer, byteOffset + HEAD_BYTES, valueBytes).toString('utf8');
  const [names, ...values] = JSON.parse(text) as readonly [readonly Value[], ...(readonly Value[])[]];
  let end = aligned(HEAD_BYTES + valueBytes);
  const offsets = new Int32Array(buffer, byteOffset + end, length);
  end += 4 * length;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  const firstSequence = (batch + 1 - Math.ceil(length / MAX_BATCH_ROWS)) * MAX_BATCH_ROWS;
  for (let row = 0; row < length; row += 1) {
    times[row] = start + offsets[row]!;
    sequences[row] = firstSequence + row;
  }
  const columns = lengthsOf(length, keys, rest).map((count, index) => {
    const width = bytes[at.widths + index]!;
    const codes = new Uint32Array(count);
    if (width > 0) {
      codes.set(codesIn(buffer, byteOffset + end, count, width));
      end += aligned(width * count);
    }
    return codes;
  });
  const latencies = bytes[HAS_LATENCIES] === 1 ? bytes.slice(end, end + length) : new Uint8Array(length);
  const fields = values.map(
    (dictionary, index): EncodedColumn => ({ values: dictionary, codes: columns[OF_ROWS + index]! }),
  );
  return {
    length,
    times,
    sequences,
    latencies,
    names: { values: names, codes: columns[0]! },
    keys: { length: keys, fields: fields.slice(0, keyFields.length), codes: columns[1]! },
    rest: { length: rest, fields: fields.slice(keyFields.length), codes: columns[2]! },
  };
}
