import { setImmediate as otherWork } from 'node:timers/promises';
import { bucketUnits } from '../../domain/statistics.ts';
import { type UnflushedSegment, type WriteTransaction, ZONE_MAP_UNIT } from '../backends/log-backend.ts';
import { countRows } from '../rollups/count-rows.ts';
import {
  bounded,
  encodeRollup,
  mergedRollup,
  openRollup,
  queriesIn,
  type RollupRows,
  rollupsOf,
} from '../rollups/rollup.ts';
import { skipCorrupt } from './checksum-error.ts';
import { compact, newestBatch, segmentOf } from './compact.ts';
import type { RowTable } from './row.ts';
import { cutByDay, dayOf } from './row-table.ts';
import { LARGE_ROWS, MAX_ROWS, zoneMapOf, zoneMapOfKeys } from './segment.ts';
import { type CountContext, joinedUnflushed, rollupsOfSegments, wholeDays } from './unflushed.ts';
import { encodeZoneMap, mergeZoneMaps, openZoneMap, unknownZoneMap, type ZoneMap } from './zone-map.ts';

type OnProblem = (problem: unknown) => void;

/** Limit of one flush, in weighted rows; see `weightOf`. */
const MAX_FLUSH_ROWS = 131_072;

/** Segments that stay as they are; others are encoded together. */
const isLarge = ({ raw, meta }: UnflushedSegment): boolean => raw === undefined && meta.rows >= LARGE_ROWS;

/** Encoded rows are fast to read; only their counting waits for the flush. */
const ENCODED_WEIGHT = 1 / 32;
export const weightOf = (rows: number, isEncoded: boolean): number => (isEncoded ? rows * ENCODED_WEIGHT : rows);

/**
 * Rolls up unflushed rows of the account and encodes raw ones. Rows in shared batches stay there. Between its steps the thread reads
 * new records: beside other threads a flush may take a second, in which a ring can fill.
 */
export async function flush(change: WriteTransaction, account: string, context: CountContext): Promise<void> {
  const { onProblem } = context;
  for (
    let unflushed = await change.unflushed(account, 'own');
    unflushed.length > 0;
    unflushed = await change.unflushed(account, 'own')
  ) {
    const chosen = atMostRows(unflushed, MAX_FLUSH_ROWS);
    const batch = newestBatch(chosen.map(({ meta }) => meta));
    const encoded = chosen.filter(isLarge);
    const small = chosen.filter((segment) => !isLarge(segment));
    const joinedRows = await joinedUnflushed(change, small, onProblem);
    await otherWork();
    const added = joinedRows ? wholeDays(joinedRows).flatMap(countRows) : [];
    await otherWork();
    added.push(...(await rollupsOfSegments({ view: change, ...context }, account, encoded, 'minute')));
    await count(change, { account, batch }, added, onProblem);
    await change.counted(account, batch);
    await markRolledUp(change, account, encoded, onProblem);
    await otherWork();
    await encodeRows(change, account, small, joinedRows, onProblem);
    for (const day of new Set(chosen.map(({ meta }) => dayOf(meta.first)))) {
      await otherWork();
      await compact(change, account, day, onProblem);
    }
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
  else await encodeRows(change, account, [segment], await joinedUnflushed(change, [segment], onProblem), onProblem);
}

async function count(
  change: WriteTransaction,
  { account, batch }: { account: string; batch: number },
  byMinute: readonly RollupRows[],
  onProblem: OnProblem,
): Promise<void> {
  // Hours are merged from minutes and days from hours: each is a fraction of the size of its source. Hours have room
  // for rows that exceed the limit of minutes.
  let added = byMinute;
  for (const unit of bucketUnits) {
    added = unit === 'minute' ? mergeHour(added) : rollupsOf(added, unit);
    for (const rollup of added) {
      await otherWork();
      const { start } = rollup;
      const [stored] = await change.bodies(account, unit, [start]);
      const open = stored && (await skipCorrupt(onProblem, () => openRollup(start, stored.body)));
      // Bounded first, so that values to be dropped are not merged.
      const merged = mergedRollup(unit, open, bounded(rollup, unit));
      await change.putRollup(account, unit, { start, batch, queries: queriesIn(rollup), body: encodeRollup(merged) });
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
  const added: { day: number; zoneMap: ZoneMap }[] = [];
  for (const [index, meta] of metas.entries()) {
    const zoneMap = await skipCorrupt(onProblem, () => zoneMapOfKeys(parts[index]!.keys, meta));
    added.push({ day: dayOf(meta.first), zoneMap: zoneMap ?? unknownZoneMap });
  }
  await putZoneMap(change, { account, batch: newestBatch(metas) }, added, onProblem);
}

/** Replaces raw and small segments by encoded ones. */
async function encodeRows(
  change: WriteTransaction,
  account: string,
  segments: readonly UnflushedSegment[],
  joinedRows: RowTable | undefined,
  onProblem: OnProblem,
): Promise<void> {
  const metas = segments.map(({ meta }) => meta);
  const batch = newestBatch(metas);
  await change.remove(metas);
  if (!joinedRows) return;
  const cut = cutByDay(joinedRows, MAX_ROWS);
  await change.addRolledUp(
    account,
    cut.map((table) => segmentOf(table, { level: 1, batch })),
  );
  const added = cut.map((table) => ({ day: dayOf(table.times[0]!), zoneMap: zoneMapOf(table) }));
  await putZoneMap(change, { account, batch }, added, onProblem);
}

async function putZoneMap(
  change: WriteTransaction,
  { account, batch }: { account: string; batch: number },
  added: readonly { readonly day: number; readonly zoneMap: ZoneMap }[],
  onProblem: OnProblem,
): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(added, (each) => each.day)) {
    const [stored] = await change.bodies(account, ZONE_MAP_UNIT, [day]);
    // If the zone map is corrupt, any value may occur.
    const open = stored && ((await skipCorrupt(onProblem, () => openZoneMap(stored.body))) ?? unknownZoneMap);
    const all = ofDay.map(({ zoneMap }) => zoneMap);
    const merged = mergeZoneMaps(open ? [open, ...all] : all);
    await change.putRollup(account, ZONE_MAP_UNIT, { start: day, batch, queries: 0, body: encodeZoneMap(merged) });
  }
}

function atMostRows(segments: readonly UnflushedSegment[], limit: number): readonly UnflushedSegment[] {
  let weight = 0;
  const end = segments.findIndex((segment, index) => {
    weight += weightOf(segment.meta.rows, isLarge(segment));
    return index > 0 && weight > limit;
  });
  return end === -1 ? segments : segments.slice(0, end);
}
