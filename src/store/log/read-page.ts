import { firstCursor, type LogCursor, type LogPage, type LogQuery, pageLinks } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { type BlockPart, matchingKeys, matchingNames, openSpots, rowReader, wantedKeys } from './block.ts';
import { sparing, type Value } from './columns.ts';
import { partsOf } from './fold.ts';
import { readRows } from './fresh-rows.ts';
import { hoursBetween, hoursOf, openOccurring } from './occurring.ts';
import { type OpenTallies, readTallies } from './open-tallies.ts';
import { newestFirst, placeOf, type RowTable, recordOf } from './row.ts';
import type { BlockHead, FoundBlock, ShelfView } from './shelf.ts';
import { dayOf } from './table.ts';

/** A row that belongs on the page or after it; those of packed blocks are read only if they are shown. */
type Candidate = { readonly time: number; readonly sequence: number; readonly number: number } & (
  | { readonly kind: 'fresh'; readonly table: RowTable }
  | { readonly kind: 'packed'; readonly head: BlockHead }
);

type Reading = {
  readonly view: ShelfView;
  readonly kept: OpenTallies;
  readonly onProblem: (problem: unknown) => void;
};

/**
 * Walks the blocks from the newest on and stops when the page is full. Of a block without any wanted combination or
 * name no row is looked at, so that a rare value costs little more than a common one.
 */
export async function readPage(reading: Reading, account: string, query: LogQuery): Promise<LogPage> {
  const { view, onProblem } = reading;
  const start = query.cursor ?? firstCursor(query.to);
  const candidates = candidatesOf(view, query, start);
  const upTo = Math.min(query.to, start.time);
  const chosen: Candidate[] = [];
  let waiting: Candidate[] = [];
  // One more than is shown, to know whether there is a next page.
  const wanted = query.limit + 1;
  const take = (isCertain: (candidate: Candidate) => boolean): void => {
    const certain = waiting.findIndex((candidate) => !isCertain(candidate));
    const ready = certain === -1 ? waiting.length : certain;
    chosen.push(...waiting.slice(0, Math.min(ready, wanted - chosen.length)));
    waiting = waiting.slice(ready);
  };
  if (query.from <= upTo) {
    const mayMatch = await blocksThatMayMatch(reading, account, query, upTo);
    for await (const block of view.blocks(account, query.from, upTo, partsNeeded(query))) {
      // What is newer than the newest row of all blocks to come has its place.
      take(({ time }) => time > block.head.last);
      if (chosen.length >= wanted) break;
      if (!mayMatch(block.head)) continue;
      const found = await sparing(onProblem, () => candidates(block));
      if (found && found.length > 0)
        waiting = [...waiting, ...found].sort(newestFirst).slice(0, wanted - chosen.length);
    }
  }
  take(() => true);

  const shown = chosen.slice(0, query.limit);
  return {
    items: await recordsOf(reading, account, shown),
    pages: pageLinks(query, chosen.length > shown.length ? shown.at(-1) : undefined),
  };
}

function partsNeeded(query: LogQuery): readonly BlockPart[] {
  // Where filters are given most blocks are passed over; of the others each part is read when it is needed.
  return query.search && wantedKeys(query).length === 0 ? ['names'] : [];
}

/** Which blocks are worth opening, by what is noted of their day. Rows that just came are noted nowhere. */
async function blocksThatMayMatch(
  reading: Reading,
  account: string,
  query: LogQuery,
  upTo: number,
): Promise<(head: BlockHead) => boolean> {
  const wanted = wantedKeys(query);
  if (wanted.length === 0) return () => true;
  const days = await readTallies(reading, account, {
    unit: 'occurring',
    from: dayOf(query.from),
    to: upTo,
    open: ({ start, body }) => ({ start, occurring: openOccurring(body) }),
  });
  const hours = new Map(days.map(({ start, occurring }) => [start, hoursOf(occurring, wanted)]));
  return ({ level, first, last }) => {
    const found = hours.get(dayOf(first));
    return level === 0 || found === undefined || (found & hoursBetween(first, last)) !== 0;
  };
}

function candidatesOf(view: ShelfView, query: LogQuery, start: LogCursor) {
  const wanted = wantedKeys(query);
  const search = lowerCase(query.search ?? '');
  const isInRange = (place: { time: number; sequence: number }): boolean =>
    place.time >= query.from && place.time <= query.to && newestFirst(place, start) > 0;

  const unpacked = ({ head, fresh }: FoundBlock): Candidate[] => {
    const table = readRows(fresh!, head.batch);
    const matching = (place: number, isWanted: (value: Value) => boolean) => {
      const { values, codes } = table.columns[place]!;
      return { codes, isWanted: values.map(isWanted) };
    };
    const checks = [
      matching(placeOf('domain'), (name) => (name as string).includes(search)),
      ...wanted.map(([field, set]) => matching(placeOf(field), (value) => set.has(value))),
    ];
    const found: Candidate[] = [];
    for (let number = 0; number < table.length; number += 1) {
      const [time, sequence] = [table.times[number]!, table.sequences[number]!];
      if (isInRange({ time, sequence }) && checks.every(({ codes, isWanted }) => isWanted[codes[number]!]))
        found.push({ kind: 'fresh', time, sequence, number, table });
    }
    return found;
  };

  const packed = async ({ head, parts }: FoundBlock): Promise<Candidate[]> => {
    const keys = wanted.length > 0 && matchingKeys(await view.part(head, 'keys'), wanted);
    if (keys === undefined) return [];
    const names = search !== '' && matchingNames(parts.names ?? (await view.part(head, 'names')), search);
    if (names === undefined) return [];
    const spots = openSpots(await view.part(head, 'spots'), dayOf(head.first));
    const found: Candidate[] = [];
    for (let number = 0; number < spots.length && found.length <= query.limit; number += 1) {
      if ((keys && !keys[spots.keys[number]!]) || (names && !names[spots.domains[number]!])) continue;
      const { time, sequence } = spots.at(number);
      if (isInRange({ time, sequence })) found.push({ kind: 'packed', time, sequence, head, number });
    }
    return found;
  };
  return (block: FoundBlock): Candidate[] | Promise<Candidate[]> =>
    block.fresh === undefined ? packed(block) : unpacked(block);
}

async function recordsOf(
  { view, onProblem }: Reading,
  account: string,
  candidates: readonly Candidate[],
): Promise<QueryRecord[]> {
  const readers = new Map<BlockHead, ((number: number) => readonly Value[]) | undefined>();
  const records: QueryRecord[] = [];
  for (const candidate of candidates) {
    const { time, number } = candidate;
    if (candidate.kind === 'fresh') {
      const values = candidate.table.columns.map((column) => column.values[column.codes[number]!]);
      records.push(recordOf(account, time, values));
      continue;
    }
    const { head } = candidate;
    if (!readers.has(head))
      readers.set(head, await sparing(onProblem, async () => rowReader(await partsOf(view, head))));
    const read = readers.get(head);
    if (read) records.push(recordOf(account, time, read(number)));
  }
  return records;
}

/** Names are folded by ASCII alone: other letters have no case in DNS. */
const lowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
