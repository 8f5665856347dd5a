import { firstCursor, type LogPage, type LogQuery, pageLinks } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { FoundSegment, ReadTransaction, SegmentMeta } from '../backends/log-backend.ts';
import { type RollupCache, readRollups } from '../rollups/rollup-cache.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';
import { readRaw } from '../segments/read-raw.ts';
import { type RowTable, recordOf } from '../segments/row.ts';
import { newestFirst, type RowPosition } from '../segments/row-position.ts';
import { dayOf } from '../segments/row-table.ts';
import type { SegmentPart } from '../segments/segment.ts';
import { hoursBetween, matchingHours, openZoneMap } from '../segments/zone-map.ts';
import { candidatesIn, findInPages, pagesOf } from './read-row-pages.ts';
import { type Asked, type Found, findInEncoded, findInRaw, pageFilter } from './read-segment.ts';

type Reading = {
  readonly view: ReadTransaction;
  readonly kept: RollupCache;
  readonly onProblem: (problem: unknown) => void;
};

/** A row that belongs on the page or after it. */
type Candidate = RowPosition & { readonly record: QueryRecord };

/**
 * Walks the blocks from the newest on and stops when the page is full. Of a block without any wanted combination or
 * name no row is looked at, so that a rare value costs little more than a common one.
 */
export async function readPage(reading: Reading, account: string, query: LogQuery): Promise<LogPage> {
  const { view, onProblem } = reading;
  const asked = pageFilter(query);
  const upTo = Math.min(query.to, (query.cursor ?? firstCursor(query.to)).time);
  // One more than is shown, to know whether there is a next page.
  const gathered = gathering(account, query.limit + 1);
  if (query.from <= upTo) {
    const range = { from: query.from, to: upTo };
    const isWanted = await mayMatch(reading, account, asked, range);
    const segments = view.segments(account, { ...range, parts: partsNeeded(asked), isWanted });
    walk: for await (const group of inGroups(segments, asked.wanted.length > 0 ? MAX_GROUP : 1)) {
      const candidates = await candidatesIn(reading, account, group, asked);
      const byHead = new Map(candidates.map((each) => [each.meta, each]));
      const pagesFor = pagesOf(view, candidates);
      const find = async (segment: FoundSegment): Promise<Found> => {
        if (segment.raw !== undefined) return findInRaw(asked, rawRows(reading.kept, account, segment));
        const own = byHead.get(segment.meta);
        // Where it cannot be read which rows are wanted, the block itself tells.
        const found =
          own &&
          !own.hasCommon &&
          (asked.search === '' || own.rows.length <= MAX_SEARCHED) &&
          (await skipCorrupt(onProblem, async () => findInPages(asked, own, await pagesFor(own, gathered.missing()))));
        return found || findInEncoded(asked, view, segment);
      };
      for (const segment of group) {
        if (gathered.isFullBefore(segment.meta.last)) break walk;
        await skipCorrupt(onProblem, async () => gathered.add(await find(segment)));
      }
    }
  }
  const chosen = gathered.all();
  const shown = chosen.slice(0, query.limit);
  return {
    items: shown.map(({ record }) => record),
    pages: pageLinks(query, chosen.length > shown.length ? shown.at(-1) : undefined),
  };
}

/** Which blocks are worth opening, by what is noted of their day. Rows that just came are noted nowhere. */
async function mayMatch(
  reading: Reading,
  account: string,
  { wanted }: Asked,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<(meta: SegmentMeta) => boolean> {
  if (wanted.length === 0) return () => true;
  const days = await readRollups(reading, account, {
    unit: 'occurring',
    from: dayOf(from),
    to,
    open: ({ start, body }) => ({ start, zoneMap: openZoneMap(body) }),
  });
  const known = new Map(days.map(({ start, zoneMap }) => [start, zoneMap]));
  // Of a day that the page does not reach nobody has to know.
  const hours = new Map<number, number>();
  return ({ level, first, last }) => {
    const day = dayOf(first);
    const zoneMap = known.get(day);
    if (level === 0 || zoneMap === undefined) return true;
    const found = hours.get(day) ?? matchingHours(zoneMap, wanted);
    hours.set(day, found);
    return (found & hoursBetween(first, last)) !== 0;
  };
}

/** Rows that wait to be packed are read for every page until then. */
function rawRows(kept: RollupCache, account: string, { meta, raw }: FoundSegment): RowTable {
  const { batch } = meta;
  const key = `rows ${batch} ${account}`;
  const known = kept.get(key)?.opened as RowTable | undefined;
  if (known) return known;
  const opened = readRaw(raw!, meta);
  kept.set(key, { batch, opened }, { size: Math.max(1, raw!.length) * BYTES_FOR_PACKED });
  return opened;
}
// Codes are four bytes each when they are open, and texts twice what they were.
const BYTES_FOR_PACKED = 5;

/** So many rows of blocks that come by their newest row, newest first. Blocks may lie over each other. */
function gathering(account: string, wanted: number) {
  const chosen: Candidate[] = [];
  let waiting: Candidate[] = [];
  const take = (count: number): void => {
    chosen.push(...waiting.slice(0, Math.min(count, wanted - chosen.length)));
    waiting = waiting.slice(count);
  };
  return {
    /** Whether there are enough rows that are newer than all of a block and of those that come after it. */
    isFullBefore(newest: number): boolean {
      const older = waiting.findIndex(({ time }) => time <= newest);
      take(older === -1 ? waiting.length : older);
      return chosen.length >= wanted;
    },
    add({ rows, reader }: Found): void {
      const both = [...waiting, ...rows].sort(newestFirst).slice(0, wanted - chosen.length);
      if (!both.some((row) => 'number' in row)) return;
      // Rows are read at once, so that of all the blocks of a page only one is held.
      const read = reader();
      waiting = both.map((row) => {
        if (!('number' in row)) return row;
        const { time, sequence, number } = row;
        return { time, sequence, record: recordOf(account, time, read(number)) };
      });
    },
    missing: (): number => wanted - chosen.length - waiting.length,
    all(): readonly Candidate[] {
      take(waiting.length);
      return chosen;
    },
  };
}

function partsNeeded({ search, wanted }: Asked): readonly SegmentPart[] {
  // Where filters are given most blocks are passed over; of the others each part is read when it is needed.
  return search !== '' && wanted.length === 0 ? ['names'] : [];
}

const MAX_GROUP = 64;
const MAX_SEARCHED = 32;

/** More and more blocks at a time, so that a long walk asks for several at once and a short one for none in vain. */
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
