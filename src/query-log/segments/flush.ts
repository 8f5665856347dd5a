import { type BucketUnit, bucketUnits } from '../../domain/statistics.ts';
import { DAY_MS } from '../../kit/durations.ts';
import type {
  ReadTransaction,
  RolledUpSegment,
  SegmentMeta,
  UnflushedSegment,
  WriteTransaction,
} from '../backends/log-backend.ts';
import { originOf } from '../query/read-segment.ts';
import { countRows } from '../rollups/count-rows.ts';
import type { PendingCounts } from '../rollups/pending-counts.ts';
import {
  bounded,
  encodeRollup,
  mergedRollup,
  openRollup,
  queriesIn,
  type RollupRows,
  rollupsOf,
} from '../rollups/rollup.ts';
import type { RollupCache } from '../rollups/rollup-cache.ts';
import { skipCorrupt } from './checksum-error.ts';
import { readRaw } from './read-raw.ts';
import type { RowTable } from './row.ts';
import { chosenRows, cutByDay, dayOf, joined } from './row-table.ts';
import { encodeSegment, MAX_ROWS, segmentParts, tableOf, zoneMapOf, zoneMapOfKeys } from './segment.ts';
import { encodeZoneMap, mergeZoneMaps, openZoneMap, unknownZoneMap, type ZoneMap } from './zone-map.ts';

/** Segments of this size are not compacted. */
const LARGE = 8192;
const isFull = ({ rows }: { rows: number }): boolean => rows >= LARGE;

/** Number of segments of one level and day that become one of the next level. */
const FAN_IN = 8;
const MAX_LEVEL = 6;

type OnProblem = (problem: unknown) => void;
type FlushContext = { readonly cache: RollupCache; readonly pending: PendingCounts; readonly onProblem: OnProblem };

/** Limit of one flush, in weighted rows; see `weightOf`. */
const MAX_FLUSH_ROWS = 131_072;

/** Encoded rows are fast to read; only their counting waits for the flush. */
const PACKED_WEIGHT = 1 / 32;
export const weightOf = (rows: number, isPacked: boolean): number => (isPacked ? rows * PACKED_WEIGHT : rows);

/** Rolls up unflushed rows and encodes raw ones. */
export async function flush(change: WriteTransaction, account: string, context: FlushContext): Promise<void> {
  const { onProblem } = context;
  for (
    let unflushed = await change.unflushed(account);
    unflushed.length > 0;
    unflushed = await change.unflushed(account)
  ) {
    const chosen = atMostRows(unflushed, MAX_FLUSH_ROWS);
    const batch = newestBatch(chosen.map(({ meta }) => meta));
    const encoded = chosen.filter(({ raw }) => raw === undefined);
    const raw = chosen.filter(({ raw }) => raw !== undefined);
    const whole = await joinedUnflushed(change, raw, onProblem);
    const news = whole ? wholeDays(whole).flatMap(countRows) : [];
    news.push(...(await rollupsOfSegments({ view: change, ...context }, account, encoded, 'minute')));
    await count(change, { account, batch }, news, onProblem);
    await change.counted(account, batch);
    await markRolledUp(change, account, encoded, onProblem);
    await pack(change, account, raw, whole, onProblem);
    for (const day of new Set(chosen.map(({ meta }) => dayOf(meta.first))))
      await compact(change, account, day, onProblem);
    context.pending.deleteAccount(account);
  }
}

/** Encodes rows that are already in the rollups. */
export async function encodeRolledUp(
  change: WriteTransaction,
  account: string,
  segment: UnflushedSegment,
  onProblem: OnProblem,
): Promise<void> {
  if (segment.raw === undefined) await markRolledUp(change, account, [segment], onProblem);
  else await pack(change, account, [segment], await joinedUnflushed(change, [segment], onProblem), onProblem);
}

/** The rows of each day in order of time, which they mostly are already. */
const wholeDays = (table: RowTable): readonly RowTable[] =>
  isOneDayInOrder(table) ? [table] : cutByDay(table, table.length);

function isOneDayInOrder({ times }: RowTable): boolean {
  for (let row = 1; row < times.length; row += 1) if (times[row]! < times[row - 1]!) return false;
  return times.length > 0 && dayOf(times[0]!) === dayOf(times.at(-1)!);
}

type Reading = FlushContext & { readonly view: ReadTransaction };

/** Counts of unflushed rows. */
export const unflushedRollups = async (
  reading: Reading,
  account: string,
  unit: BucketUnit,
): Promise<readonly RollupRows[]> => rollupsOfSegments(reading, account, await reading.view.unflushed(account), unit);

async function rollupsOfSegments(
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
async function joinedUnflushed(
  view: ReadTransaction,
  unflushed: readonly UnflushedSegment[],
  onProblem: OnProblem,
): Promise<RowTable | undefined> {
  const tables = await unflushedTables(view, unflushed, onProblem);
  return tables.length === 0 ? undefined : joined(tables);
}

async function count(
  change: WriteTransaction,
  { account, batch }: { account: string; batch: number },
  byMinute: readonly RollupRows[],
  onProblem: OnProblem,
): Promise<void> {
  // Hours are merged from minutes and days from hours: each is a fraction of the size of its source. Hours have room
  // for rows that exceed the limit of minutes.
  let news = byMinute;
  for (const unit of bucketUnits) {
    news = unit === 'minute' ? mergeHour(news) : rollupsOf(news, unit);
    for (const own of news) {
      const { start } = own;
      const [known] = await change.bodies(account, unit, [start]);
      const open = known && (await skipCorrupt(onProblem, () => openRollup(start, known.body)));
      // Bounded first, so that values to be dropped are not merged.
      const merged = mergedRollup(unit, open, bounded(own, unit));
      await change.putRollup(account, unit, { start, batch, queries: queriesIn(own), body: encodeRollup(merged) });
    }
  }
}

/** Merges minute counts of the same hour. */
const mergeHour = (rollups: readonly RollupRows[]): readonly RollupRows[] =>
  [...Map.groupBy(rollups, ({ start }) => start).values()].flatMap((ofHour) =>
    ofHour.length === 1 ? ofHour : rollupsOf(ofHour, 'minute'),
  );

/** Marks encoded segments as rolled up. */
async function markRolledUp(
  change: WriteTransaction,
  account: string,
  encoded: readonly UnflushedSegment[],
  onProblem: OnProblem,
): Promise<void> {
  const metas = encoded.map(({ meta }) => meta);
  if (metas.length === 0) return;
  await change.setRolledUp(metas);
  const parts = await change.parts(metas, ['keys']);
  const zoneMap: { day: number; zoneMap: ZoneMap }[] = [];
  for (const [place, meta] of metas.entries()) {
    const noted = await skipCorrupt(onProblem, () => zoneMapOfKeys(parts[place]!.keys, meta));
    zoneMap.push({ day: dayOf(meta.first), zoneMap: noted ?? unknownZoneMap });
  }
  await putZoneMap(change, { account, batch: newestBatch(metas) }, zoneMap, onProblem);
}

/** Replaces raw segments by encoded ones. */
async function pack(
  change: WriteTransaction,
  account: string,
  segments: readonly UnflushedSegment[],
  whole: RowTable | undefined,
  onProblem: OnProblem,
): Promise<void> {
  const metas = segments.map(({ meta }) => meta);
  const batch = newestBatch(metas);
  await change.remove(metas);
  if (!whole) return;
  const cut = cutByDay(whole, MAX_ROWS);
  await change.addRolledUp(
    account,
    cut.map((table) => segmentOf(table, { level: 1, batch })),
  );
  const zoneMap = cut.map((table) => ({ day: dayOf(table.times[0]!), zoneMap: zoneMapOf(table) }));
  await putZoneMap(change, { account, batch }, zoneMap, onProblem);
}

async function putZoneMap(
  change: WriteTransaction,
  { account, batch }: { account: string; batch: number },
  news: readonly { readonly day: number; readonly zoneMap: ZoneMap }[],
  onProblem: OnProblem,
): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(news, (each) => each.day)) {
    const [known] = await change.bodies(account, 'occurring', [day]);
    // If the zone map is corrupt, any value may occur.
    const open = known && ((await skipCorrupt(onProblem, () => openZoneMap(known.body))) ?? unknownZoneMap);
    const all = ofDay.map(({ zoneMap }) => zoneMap);
    const merged = mergeZoneMaps(open ? [open, ...all] : all);
    await change.putRollup(account, 'occurring', { start: day, batch, queries: 0, body: encodeZoneMap(merged) });
  }
}

function atMostRows(segments: readonly UnflushedSegment[], limit: number): readonly UnflushedSegment[] {
  let weight = 0;
  const end = segments.findIndex(({ meta, raw }, place) => {
    weight += weightOf(meta.rows, raw === undefined);
    return place > 0 && weight > limit;
  });
  return end === -1 ? segments : segments.slice(0, end);
}

/** Merges small segments of a day, so the read cost does not depend on how rows arrived. */
async function compact(change: WriteTransaction, account: string, day: number, onProblem: OnProblem): Promise<void> {
  for (let level = 1; level < MAX_LEVEL; level += 1) {
    const small = (await metasOf(change, account, day, day + DAY_MS - 1)).filter(
      (meta) => meta.level === level && !isFull(meta),
    );
    if (small.length < FAN_IN) continue;
    const tables: RowTable[] = [];
    for (const meta of small) {
      const table = await skipCorrupt(onProblem, () => rowsOf(change, meta));
      if (table) tables.push(table);
    }
    await change.remove(small);
    await change.addRolledUp(account, segmentsOf(joined(tables), { level: level + 1, batch: newestBatch(small) }));
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
    const known = await skipCorrupt(onProblem, () => rowsOf(change, meta));
    await change.remove([meta]);
    if (!known) continue;
    const remaining = Uint32Array.from(known.times.keys().filter((row) => known.times[row]! >= cutoff));
    await change.addRolledUp(account, segmentsOf(chosenRows(known, remaining), meta));
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
function segmentOf(table: RowTable, { level, batch }: Origin): RolledUpSegment {
  const { times, length } = table;
  return { level, batch, first: times.at(-1)!, last: times[0]!, rows: length, ...encodeSegment(table, batch) };
}

const segmentsOf = (table: RowTable, origin: Origin): RolledUpSegment[] =>
  cutByDay(table, MAX_ROWS).map((part) => segmentOf(part, origin));

const newestBatch = (metas: readonly SegmentMeta[]): number =>
  metas.reduce((newest, { batch }) => Math.max(newest, batch), 0);
