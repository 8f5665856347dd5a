import type { BucketUnit } from '../../domain/statistics.ts';
import type { ReadTransaction, UnflushedSegment } from '../backends/log-backend.ts';
import { countRows } from '../rollups/count-rows.ts';
import type { PendingCounts } from '../rollups/pending-counts.ts';
import { type RollupRows, rollupsOf } from '../rollups/rollup.ts';
import type { RollupCache } from '../rollups/rollup-cache.ts';
import { skipCorrupt } from './checksum-error.ts';
import { rowsOf } from './compact.ts';
import { readRaw } from './read-raw.ts';
import type { RowTable } from './row.ts';
import { cutByDay, dayOf, joined } from './row-table.ts';

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
  const known = reading.pending.countsOf(account, new Set(segments.map(({ meta }) => meta.batch)));
  const rollups = known.flatMap(({ rollup }) => inUnit(rollup, unit));
  for (const segment of segments)
    if (!known.some(({ batches }) => batches.has(segment.meta.batch)))
      rollups.push(...(await countsOf(reading, account, segment, unit)));
  return rollups;
}

/** Merges minute counts into another unit. */
const inUnit = (rollup: readonly RollupRows[], unit: BucketUnit): readonly RollupRows[] =>
  finerThan[unit] ? rollupsOf(inUnit(rollup, finerThan[unit]), unit) : rollup;

/** Counts of one segment. Segments are immutable, so the counts are cached. */
async function countsOf(
  { cache, view, onProblem }: Reading,
  account: string,
  segment: UnflushedSegment,
  unit: BucketUnit,
): Promise<readonly RollupRows[]> {
  const { batch } = segment.meta;
  const key = `fresh ${unit} ${batch} ${account}`;
  const known = cache.get(key)?.opened as readonly RollupRows[] | undefined;
  if (known) return known;
  const byMinute = await skipCorrupt(onProblem, async () =>
    wholeDays(await unflushedTable(view, segment)).flatMap(countRows),
  );
  if (!byMinute) return [];
  const counted = inUnit(byMinute, unit);
  const rollup = counted.reduce((sum, { length }) => sum + length, 0);
  cache.set(key, { batch, opened: counted }, { size: rollup * BYTES_FOR_CELL + BYTES_FOR_KEY });
  return counted;
}

const finerThan: Readonly<Record<BucketUnit, BucketUnit | undefined>> = {
  minute: undefined,
  hour: 'minute',
  day: 'hour',
};
// Ten numeric columns, and mostly shared strings.
const BYTES_FOR_CELL = 64;
const BYTES_FOR_KEY = 200;

async function unflushedTable(view: ReadTransaction, { meta, raw }: UnflushedSegment): Promise<RowTable> {
  return raw === undefined ? rowsOf(view, meta) : readRaw(raw, meta);
}

/** The rows of unflushed segments. */
export async function unflushedTables(
  view: ReadTransaction,
  unflushed: readonly UnflushedSegment[],
  onProblem: OnProblem,
): Promise<RowTable[]> {
  const tables: RowTable[] = [];
  for (const segment of unflushed) {
    const table = await skipCorrupt(onProblem, () => unflushedTable(view, segment));
    if (table) tables.push(table);
  }
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
