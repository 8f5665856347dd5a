import type { Column } from './columns.ts';
import { createDictionary, encodeValue } from './dictionary-encoder.ts';
import type { OpenColumns } from './open-columns.ts';
import { MAX_BATCH_ROWS } from './raw-rows.ts';
import { scratchUint32 } from './scratch.ts';

/** Time of a row, and its sequence number among all rows of the account. */
export type RowPosition = { readonly time: number; readonly sequence: number };

/** Newest first. */
export const newestFirst = (one: RowPosition, other: RowPosition): number =>
  other.time - one.time || other.sequence - one.sequence;

/** Base of the positions in a segment. */
export type PositionOrigin = { readonly dayStart: number /** The newest one. */; readonly batch: number };

/** Position columns of rows of one day. */
export function positionColumns(
  times: Float64Array,
  sequences: Float64Array,
  { dayStart, batch: newest }: PositionOrigin,
): Readonly<Record<'time' | 'batch' | 'place', Column>> {
  const batches = createDictionary();
  const { length } = times;
  const [time, batch, place] = [scratchUint32(length), scratchUint32(length), scratchUint32(length)];
  // Rows of one batch are mostly adjacent.
  let [number, code] = [Number.NaN, 0];
  for (let row = 0; row < length; row += 1) {
    time[row] = times[row]! - dayStart;
    let offset = sequences[row]! - number * MAX_BATCH_ROWS;
    if (!(offset >= 0 && offset < MAX_BATCH_ROWS)) {
      number = Math.floor(sequences[row]! / MAX_BATCH_ROWS);
      code = encodeValue(batches, number - newest);
      offset = sequences[row]! - number * MAX_BATCH_ROWS;
    }
    batch[row] = code;
    place[row] = offset;
  }
  return { time: { codes: time }, batch: { codes: batch, values: batches.values }, place: { codes: place } };
}

export function positionsIn(
  open: OpenColumns,
  { dayStart, batch: newest }: PositionOrigin,
): (row: number) => RowPosition {
  const [time, batch, place] = [open.column('time'), open.column('batch'), open.column('place')];
  return (row) => ({
    time: dayStart + time.codeAt(row),
    sequence: (newest + (batch.valueAt(batch.codeAt(row)) as number)) * MAX_BATCH_ROWS + place.codeAt(row),
  });
}
