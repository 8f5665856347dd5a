import type { BucketUnit } from '../../domain/statistics.ts';
import type { ReadTransaction, SegmentMeta, UnflushedSegment } from '../backends/log-backend.ts';
import { originOf } from '../query/read-segment.ts';
import { countRows } from '../rollups/count-rows.ts';
import type { PendingCounts } from '../rollups/pending-counts.ts';
import { type RollupRows, rollupsOf } from '../rollups/rollup.ts';
import type { RollupCache } from '../rollups/rollup-cache.ts';
import { skipCorrupt } from './checksum-error.ts';
import { readRaw } from './read-raw.ts';
import type { RowTable } from './row.ts';
import { cutByDay, dayOf, joined } from './row-table.ts';
import { MAX_ROWS, type SegmentParts, segmentParts, tableOf } from './segment.ts';

type OnProblem = (problem: unknown) => void;
export type CountContext = {
  readonly cache: RollupCache;
  readonly pending: PendingCounts;
  readonly onProblem: OnProblem;
};

/** The rows of each day in order of time, which they mostly are already. */
export const wholeDays = (table: RowTable): readonly RowTable[] =>
  isOneDayInOrder(table) ? [table] : cutByDay(table, table.length);

function isOneDayInOrder({ times }: RowTable): boolean {
  for (let row = 1; row < times.length; row += 1) if (times[row]! < times[row - 1]!) return false;
  return times.length > 0 && dayOf(times[0]!) === dayOf(times.at(-1)!);
}

type Reading = CountContext & { readonly view: ReadTransaction };

/** Counts of unflushed rows. */
export const unflushedRollups = async (
  reading: Reading,
  account: string,
  unit: BucketUnit,
): Promise<readonly RollupRows[]> => rollupsOfSegments(reading, account, await reading.view.unflushed(account), unit);

export async function rollupsOfSegments(
  reading: Reading,
  account: string,
  segments: readonly UnflushedSegment[],
  unit: BucketUnit,
): Promise<readonly RollupRows[]> {
  const counts = reading.pending.countsOf(account, new Set(segments.map(({ meta }) => meta.batch)));
  const rollups = counts.flatMap(({ rollup }) => inUnit(rollup, unit));
  // Segments are immutable, so their counts are cached.
  const keyOf = ({ batch, rows }: SegmentMeta): string => `fresh ${unit} ${batch} ${rows} ${account}`;
  const uncounted: UnflushedSegment[] = [];
  for (const segment of segments) {
    if (counts.some(({ batches }) => batches.has(segment.meta.batch))) continue;
    const cached = reading.cache.get(keyOf(segment.meta))?.opened as readonly RollupRows[] | undefined;
    if (cached) rollups.push(...cached);
    else uncounted.push(segment);
  }
  for await (const { meta, table } of tablesOf(reading.view, uncounted, reading.onProblem)) {
    const counted = inUnit(wholeDays(table).flatMap(countRows), unit);
    const size = counted.reduce((sum, { length }) => sum + length, 0) * BYTES_FOR_CELL + BYTES_FOR_KEY;
    reading.cache.set(keyOf(meta), { batch: meta.batch, opened: counted }, { size });
    rollups.push(...counted);
  }
  return rollups;
}

/** Merges minute counts into another unit. */
const inUnit = (rollup: readonly RollupRows[], unit: BucketUnit): readonly RollupRows[] =>
  finerThan[unit] ? rollupsOf(inUnit(rollup, finerThan[unit]), unit) : rollup;

const finerThan: Readonly<Record<BucketUnit, BucketUnit | undefined>> = {
  minute: undefined,
  hour: 'minute',
  day: 'hour',
};
// Ten numeric columns, and mostly shared strings.
const BYTES_FOR_CELL = 64;
const BYTES_FOR_KEY = 200;

/** Reads several segments at once. Skips corrupt ones. */
async function* tablesOf(
  view: ReadTransaction,
  segments: readonly UnflushedSegment[],
  onProblem: OnProblem,
): AsyncGenerator<{ readonly meta: SegmentMeta; readonly table: RowTable }> {
  for (const group of groupsOfRows(segments)) {
    const encoded = group.filter(({ raw }) => raw === undefined).map(({ meta }) => meta);
    const found = encoded.length === 0 ? [] : await view.parts(encoded, segmentParts);
    const parts = new Map<SegmentMeta, SegmentParts>(encoded.map((meta, index) => [meta, found[index]!]));
    for (const { meta, raw } of group) {
      const table = await skipCorrupt(onProblem, () =>
        raw === undefined ? tableOf(parts.get(meta)!, originOf(meta)) : readRaw(raw, meta),
      );
      if (table) yield { meta, table };
    }
  }
}

function groupsOfRows(segments: readonly UnflushedSegment[]): readonly (readonly UnflushedSegment[])[] {
  const groups: UnflushedSegment[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const segment of segments) {
    rows += segment.meta.rows;
    if (rows > MAX_ROWS) {
      groups.push([]);
      rows = segment.meta.rows;
    }
    groups.at(-1)!.push(segment);
  }
  return groups;
}

/** The rows of unflushed segments. */
export async function unflushedTables(
  view: ReadTransaction,
  unflushed: readonly UnflushedSegment[],
  onProblem: OnProblem,
): Promise<RowTable[]> {
  const tables: RowTable[] = [];
  for await (const { table } of tablesOf(view, unflushed, onProblem)) tables.push(table);
  return tables;
}

/** Undefined if there are no readable rows. */
export async function joinedUnflushed(
  view: ReadTransaction,
  unflushed: readonly UnflushedSegment[],
  onProblem: OnProblem,
): Promise<RowTable | undefined> {
  const tables = await unflushedTables(view, unflushed, onProblem);
  return tables.length === 0 ? undefined : joined(tables);
}
