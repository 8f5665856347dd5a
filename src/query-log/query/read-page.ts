import { firstCursor, type LogPage, type LogQuery, pageLinks } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { type FoundSegment, type ReadTransaction, type SegmentMeta, ZONE_MAP_UNIT } from '../backends/log-backend.ts';
import { type RollupCache, readRollups } from '../rollups/rollup-cache.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';
import { readRaw } from '../segments/read-raw.ts';
import { type RowTable, recordOf } from '../segments/row.ts';
import { newestFirst, type RowPosition } from '../segments/row-position.ts';
import { dayOf } from '../segments/row-table.ts';
import type { SegmentPart } from '../segments/segment.ts';
import { hoursBetween, matchingHours, openZoneMap } from '../segments/zone-map.ts';
import { candidatesIn, findInPages, pagesOf } from './read-row-pages.ts';
import { type Found, findInEncoded, findInRaw, type PageFilter, pageFilter } from './read-segment.ts';

export type Reading = {
  readonly view: ReadTransaction;
  readonly cache: RollupCache;
  readonly onProblem: (problem: unknown) => void;
};

/** A row on the page or after it. */
type Candidate = RowPosition & { readonly record: QueryRecord };

/**
 * Reads segments from the newest on and stops when the page is full. Segments without a matching key tuple or name are
 * skipped, so a rare value costs little more than a frequent one.
 */
export async function readPage(reading: Reading, account: string, query: LogQuery): Promise<LogPage> {
  const { view, onProblem } = reading;
  const filter = pageFilter(query);
  const upTo = Math.min(query.to, (query.cursor ?? firstCursor(query.to)).time);
  // One more row than shown, to detect a next page.
  const collected = collectRows(account, query.limit + 1);
  if (query.from <= upTo) {
    const range = { from: query.from, to: upTo };
    const isWanted = await mayMatch(reading, account, filter, range);
    const segments = view.segments(account, { ...range, parts: partsNeeded(filter), isWanted });
    scan: for await (const group of inGroups(segments, filter.predicates.length > 0 ? MAX_GROUP : 1)) {
      const candidates = await candidatesIn(reading, account, group, filter);
      const byMeta = new Map(candidates.map((candidate) => [candidate.meta, candidate]));
      const pagesFor = pagesOf(view, candidates);
      const find = async (segment: FoundSegment): Promise<Found> => {
        if (segment.raw !== undefined) return findInRaw(filter, rawRows(reading.cache, account, segment));
        const candidate = byMeta.get(segment.meta);
        // If the bitmap index is corrupt, the segment itself is searched.
        const found =
          candidate &&
          !candidate.hasCommon &&
          (!hasUnindexed(filter) || candidate.rows.length <= MAX_SEARCHED) &&
          (await skipCorrupt(onProblem, async () =>
            findInPages(filter, candidate, await pagesFor(candidate, collected.missing())),
          ));
        return found || findInEncoded(filter, view, segment);
      };
      for (const segment of group) {
        if (collected.isFullBefore(segment.meta.last)) break scan;
        await skipCorrupt(onProblem, async () => collected.add(await find(segment)));
      }
    }
  }
  const chosen = collected.all();
  const shown = chosen.slice(0, query.limit);
  return {
    items: shown.map(({ record }) => record),
    pages: pageLinks(query, chosen.length > shown.length ? shown.at(-1) : undefined),
  };
}

/** Whether rows found by the index may still not match. */
const hasUnindexed = ({ search, restPredicates }: PageFilter): boolean =>
  search.text !== '' || restPredicates.length > 0;

/** Selects segments by the zone maps. Unflushed rows have none. */
export async function mayMatch(
  reading: Reading,
  account: string,
  { predicates }: Pick<PageFilter, 'predicates'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<(meta: SegmentMeta) => boolean> {
  if (predicates.length === 0) return () => true;
  const days = await readRollups(reading, account, {
    unit: ZONE_MAP_UNIT,
    from: dayOf(from),
    to,
    open: ({ start, body }) => ({ start, zoneMap: openZoneMap(body) }),
  });
  const zoneMapByDay = new Map(days.map(({ start, zoneMap }) => [start, zoneMap]));
  // Computed only for days that the search for the page reaches.
  const hours = new Map<number, number>();
  return ({ level, first, last }) => {
    const day = dayOf(first);
    const zoneMap = zoneMapByDay.get(day);
    if (level === 0 || zoneMap === undefined) return true;
    const found = hours.get(day) ?? matchingHours(zoneMap, predicates);
    hours.set(day, found);
    return (found & hoursBetween(first, last)) !== 0;
  };
}

/** Raw rows are read for every page until they are flushed. */
export function rawRows(cache: RollupCache, account: string, { meta, raw }: FoundSegment): RowTable {
  const { batch } = meta;
  const key = `rows ${batch} ${account}`;
  const cached = cache.get(key)?.opened as RowTable | undefined;
  if (cached) return cached;
  const opened = readRaw(raw!, meta);
  cache.set(key, { batch, opened }, { size: Math.max(1, raw!.length) * BYTES_PER_STORED_BYTE });
  return opened;
}
// Decoded codes take four bytes each, and strings twice their encoded size.
const BYTES_PER_STORED_BYTE = 5;

/** Collects the newest rows of segments that are sorted by their last row. Segments may overlap in time. */
function collectRows(account: string, limit: number) {
  const chosen: Candidate[] = [];
  let waiting: Candidate[] = [];
  const take = (count: number): void => {
    chosen.push(...waiting.slice(0, Math.min(count, limit - chosen.length)));
    waiting = waiting.slice(count);
  };
  return {
    /** Whether there are enough rows newer than this and all following segments. */
    isFullBefore(newest: number): boolean {
      const older = waiting.findIndex(({ time }) => time <= newest);
      take(older === -1 ? waiting.length : older);
      return chosen.length >= limit;
    },
    add({ rows, reader }: Found): void {
      const both = [...waiting, ...rows].sort(newestFirst).slice(0, limit - chosen.length);
      if (!both.some((row) => 'number' in row)) return;
      // Rows are decoded at once, so only one segment is held in memory.
      const read = reader();
      waiting = both.map((row) => {
        if (!('number' in row)) return row;
        const { time, sequence, number } = row;
        return { time, sequence, record: recordOf(account, time, read(number)) };
      });
    },
    missing: (): number => limit - chosen.length - waiting.length,
    all(): readonly Candidate[] {
      take(waiting.length);
      return chosen;
    },
  };
}

function partsNeeded({ search, predicates }: PageFilter): readonly SegmentPart[] {
  // With filters most segments are skipped; parts of the others are read when needed.
  return search.text !== '' && predicates.length === 0 ? ['names'] : [];
}

const MAX_GROUP = 64;
const MAX_SEARCHED = 32;

/** Groups of increasing size, so that a long scan reads several segments at once, and a short one reads no unneeded ones. */
async function* inGroups<T>(segments: AsyncIterable<T>, maxSize: number): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  let size = 1;
  for await (const segment of segments) {
    group.push(segment);
    if (group.length < size) continue;
    yield group;
    group = [];
    size = Math.min(size * 2, maxSize);
  }
  yield group;
}
