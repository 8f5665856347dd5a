import { DAY_MS } from '../../kit/durations.ts';
import type { ReadTransaction, RolledUpSegment, SegmentMeta, WriteTransaction } from '../backends/log-backend.ts';
import { originOf } from '../query/read-segment.ts';
import { skipCorrupt } from './checksum-error.ts';
import type { RowTable } from './row.ts';
import { chosenRows, cutByDay, dayOf, joined } from './row-table.ts';
import { withScratch } from './scratch.ts';
import { encodeSegment, LARGE_ROWS, MAX_ROWS, segmentParts, tableOf } from './segment.ts';

type OnProblem = (problem: unknown) => void;

const isFull = ({ rows }: { rows: number }): boolean => rows >= LARGE_ROWS;

/** Number of segments of one level and day that become one of the next level. */
const FAN_IN = 8;
const MAX_LEVEL = 6;

/** Merges small segments of a day, so the read cost does not depend on how rows arrived. */
export async function compact(
  change: WriteTransaction,
  account: string,
  day: number,
  onProblem: OnProblem,
): Promise<void> {
  const smallOfDay = async () =>
    (await metasOf(change, account, day, day + DAY_MS - 1)).filter((meta) => !isFull(meta));
  let smallOnes = await smallOfDay();
  for (let level = 1; level < MAX_LEVEL; level += 1) {
    const small = smallOnes.filter((meta) => meta.level === level);
    if (small.length < FAN_IN) continue;
    const tables: RowTable[] = [];
    for (const meta of small) {
      const table = await skipCorrupt(onProblem, () => rowsOf(change, meta));
      if (table) tables.push(table);
    }
    await change.remove(small);
    if (tables.length === 0) continue;
    await change.addRolledUp(account, segmentsOf(joined(tables), { level: level + 1, batch: newestBatch(small) }));
    smallOnes = await smallOfDay();
  }
}

/** Removes rows before the cutoff from segments with rows on both sides of it. */
export async function truncate(
  change: WriteTransaction,
  account: string,
  cutoff: number,
  onProblem: OnProblem,
): Promise<void> {
  for (const meta of await metasOf(change, account, dayOf(cutoff), cutoff - 1)) {
    if (meta.level === 0 || meta.last < cutoff) continue;
    const table = await skipCorrupt(onProblem, () => rowsOf(change, meta));
    await change.remove([meta]);
    if (!table) continue;
    const remaining = Uint32Array.from(table.times.keys().filter((row) => table.times[row]! >= cutoff));
    await change.addRolledUp(account, segmentsOf(chosenRows(table, remaining), meta));
  }
}

async function metasOf(view: ReadTransaction, account: string, from: number, to: number): Promise<SegmentMeta[]> {
  const metas: SegmentMeta[] = [];
  for await (const { meta } of view.segments(account, { from, to })) metas.push(meta);
  return metas;
}

async function rowsOf(view: ReadTransaction, meta: SegmentMeta): Promise<RowTable> {
  const [parts] = await view.parts([meta], segmentParts);
  return tableOf(parts!, originOf(meta));
}

/** Writes a segment of an earlier format in the current one. False when its rows cannot be read: then it stays. */
export async function rewriteSegment(
  change: WriteTransaction,
  account: string,
  meta: SegmentMeta,
  onProblem: OnProblem,
): Promise<boolean> {
  const [parts] = await change.parts([meta], segmentParts);
  // Another node has rewritten, compacted or deleted it.
  if (!parts) return true;
  const table = await skipCorrupt(onProblem, () => tableOf(parts, originOf(meta)));
  if (!table) return false;
  await change.remove([meta]);
  await change.addRolledUp(account, segmentsOf(table, meta));
  return true;
}

type Origin = { readonly level: number; readonly batch: number };

/** The rows: of one day, newest first. */
export function segmentOf(table: RowTable, { level, batch }: Origin): RolledUpSegment {
  const { times, length } = table;
  const encoded = withScratch(() => encodeSegment(table, batch));
  return { level, batch, first: times.at(-1)!, last: times[0]!, rows: length, ...encoded };
}

/** The rows: in any order, of any days. */
export const segmentsOf = (table: RowTable, origin: Origin): RolledUpSegment[] =>
  cutByDay(table, MAX_ROWS).map((part) => segmentOf(part, origin));

export const newestBatch = (metas: readonly SegmentMeta[]): number =>
  metas.reduce((newest, { batch }) => Math.max(newest, batch), 0);
