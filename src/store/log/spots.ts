import type { Column } from './columns.ts';
import { MAX_BATCH_ROWS } from './fresh-rows.ts';
import { numbering } from './numbering.ts';
import type { OpenColumns } from './open-columns.ts';

/** When a row was, and its place among all rows. */
export type Spot = { readonly time: number; readonly sequence: number };

/** Newest first. */
export const newestFirst = (one: Spot, other: Spot): number => other.time - one.time || other.sequence - one.sequence;

/** The spots of rows of one day, as columns. */
export function spotColumns(
  times: Float64Array,
  sequences: Float64Array,
  dayStart: number,
): Readonly<Record<'time' | 'batch' | 'place', Column>> {
  const batches = numbering();
  const { length } = times;
  const [time, batch, place] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
  for (let row = 0; row < length; row += 1) {
    const number = Math.floor(sequences[row]! / MAX_BATCH_ROWS);
    time[row] = times[row]! - dayStart;
    batch[row] = batches.of(number);
    place[row] = sequences[row]! - number * MAX_BATCH_ROWS;
  }
  return { time: { codes: time }, batch: { codes: batch, values: batches.values }, place: { codes: place } };
}

export function spotsIn(open: OpenColumns, dayStart: number): (row: number) => Spot {
  const [time, batch, place] = [open.column('time'), open.column('batch'), open.column('place')];
  return (row) => ({
    time: dayStart + time.codeAt(row),
    sequence: (batch.valueAt(batch.codeAt(row)) as number) * MAX_BATCH_ROWS + place.codeAt(row),
  });
}
