import { firstCursor, type LogPage, type LogQuery, pageLinks } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { BlockPart } from './block.ts';
import { sparing } from './damaged-bytes.ts';
import { type FoundFew, fewPartsOf } from './few.ts';
import { hoursBetween, hoursOf, openOccurring } from './occurring.ts';
import { type OpenTallies, readTallies } from './open-tallies.ts';
import { type Asked, askedBy, type Found, findInFew, findInFresh, findInPacked } from './read-block.ts';
import { recordOf } from './row.ts';
import type { BlockHead, FoundBlock, ShelfView } from './shelf.ts';
import { newestFirst, type Spot } from './spots.ts';
import { dayOf } from './table.ts';

type Reading = {
  readonly view: ShelfView;
  readonly kept: OpenTallies;
  readonly onProblem: (problem: unknown) => void;
};

/** A row that belongs on the page or after it. */
type Candidate = Spot & { readonly record: QueryRecord };

/**
 * Walks the blocks from the newest on and stops when the page is full. Of a block without any wanted combination or
 * name no row is looked at, so that a rare value costs little more than a common one.
 */
export async function readPage(reading: Reading, account: string, query: LogQuery): Promise<LogPage> {
  const { view, onProblem } = reading;
  const asked = askedBy(query);
  const upTo = Math.min(query.to, (query.cursor ?? firstCursor(query.to)).time);
  // One more than is shown, to know whether there is a next page.
  const gathered = gathering(account, query.limit + 1);
  const find = async (block: FoundBlock, few: FoundFew | undefined): Promise<Found> => {
    if (block.fresh !== undefined) return findInFresh(asked, block);
    // Where it cannot be read which rows are few, the block itself tells.
    const found = few && (await sparing(onProblem, () => findByFew(view, asked, block.head, few)));
    return found ?? findInPacked(asked, view, block);
  };
  if (query.from <= upTo) {
    const range = { from: query.from, to: upTo };
    const isWanted = await mayMatch(reading, account, asked, range);
    const blocks = view.blocks(account, { ...range, parts: partsNeeded(asked), isWanted });
    walk: for await (const group of inGroups(blocks, asked.wanted.length > 0 ? MAX_GROUP : 1)) {
      const few = await readFew(view, group, asked);
      for (const block of group) {
        if (gathered.isFullBefore(block.head.last)) break walk;
        await sparing(onProblem, async () => gathered.add(await find(block, few.get(block.head))));
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
): Promise<(head: BlockHead) => boolean> {
  if (wanted.length === 0) return () => true;
  const days = await readTallies(reading, account, {
    unit: 'occurring',
    from: dayOf(from),
    to,
    open: ({ start, body }) => ({ start, occurring: openOccurring(body) }),
  });
  const hours = new Map(days.map(({ start, occurring }) => [start, hoursOf(occurring, wanted)]));
  return ({ level, first, last }) => {
    const found = hours.get(dayOf(first));
    return level === 0 || found === undefined || (found & hoursBetween(first, last)) !== 0;
  };
}

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
    all(): readonly Candidate[] {
      take(waiting.length);
      return chosen;
    },
  };
}

function partsNeeded({ search, wanted }: Asked): readonly BlockPart[] {
  // Where filters are given most blocks are passed over; of the others each part is read when it is needed.
  return search !== '' && wanted.length === 0 ? ['names'] : [];
}

const MAX_GROUP = 64;

/** More and more blocks at a time, so that a long walk asks for several at once and a short one for none in vain. */
async function* inGroups<T>(blocks: AsyncIterable<T>, maxSize: number): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  let size = 1;
  for await (const block of blocks) {
    group.push(block);
    if (group.length < size) continue;
    yield group;
    group = [];
    size = Math.min(size * 2, maxSize);
  }
  yield group;
}

/** What is kept of the rows of the first wish, where they are few. Small blocks keep none. */
async function readFew(
  view: ShelfView,
  group: readonly FoundBlock[],
  { wanted: [wish] }: Asked,
): Promise<ReadonlyMap<BlockHead, FoundFew>> {
  if (!wish) return new Map();
  const heads = group.filter(({ fresh }) => fresh === undefined).map(({ head }) => head);
  const found = await view.few(heads, fewPartsOf(wish));
  return new Map(heads.map((head, place) => [head, found[place]!] as const).filter(([, few]) => few.size > 0));
}

/** By the first wish that few rows have in this block; undefined if more have every one. */
async function findByFew(
  view: ShelfView,
  asked: Asked,
  head: BlockHead,
  ofFirst: FoundFew,
): Promise<Found | undefined> {
  for (const [place, wish] of asked.wanted.entries()) {
    const few = place === 0 ? ofFirst : (await view.few([head], fewPartsOf(wish)))[0]!;
    const found = findInFew(asked, wish, head, few);
    if (found) return found;
  }
  return undefined;
}
