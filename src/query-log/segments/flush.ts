import { type BucketUnit, bucketUnits } from '../../domain/statistics.ts';
import type { BlockHead, CountedBlock, ShelfChange, ShelfView, TailBlock } from '../backends/log-backend.ts';
import { originOf } from '../query/read-segment.ts';
import { countRows } from '../rollups/count-rows.ts';
import type { OpenCounts } from '../rollups/open-counts.ts';
import { bounded, type Cells, mergedTally, openTally, packTally, queriesIn, talliesOf } from '../rollups/rollup.ts';
import type { OpenTallies } from '../rollups/rollup-cache.ts';
import { sparing } from './checksum-error.ts';
import { readRows } from './memtable.ts';
import type { RowTable } from './row.ts';
import { chosenRows, cutByDay, dayOf, joined } from './row-table.ts';
import { blockParts, MAX_ROWS, occurringIn, occurringInKeys, packBlock, tableOf } from './segment.ts';
import { anything, mergedOccurring, type Occurring, openOccurring, packOccurring } from './zone-map.ts';

const DAY_MS = 86_400_000;

/** A block of so many rows is large enough to stay as it is. */
const LARGE = 8192;
const isFull = ({ rows }: { rows: number }): boolean => rows >= LARGE;

/** So many blocks of one level and day become one of the next. */
const FAN_IN = 8;
const MAX_LEVEL = 6;

type OnProblem = (problem: unknown) => void;
type Folding = { readonly kept: OpenTallies; readonly open: OpenCounts; readonly onProblem: OnProblem };

/** As much as is counted at one go; see `weightOf`. */
const MAX_FOLD_ROWS = 131_072;

/** Rows that come packed are read as soon as any others are: only counting them waits. */
const PACKED_WEIGHT = 1 / 32;
export const weightOf = (rows: number, isPacked: boolean): number => (isPacked ? rows * PACKED_WEIGHT : rows);

/** Counts what was not counted yet and packs what is not packed. */
export async function fold(change: ShelfChange, account: string, folding: Folding): Promise<void> {
  const { onProblem } = folding;
  for (let tail = await change.tail(account); tail.length > 0; tail = await change.tail(account)) {
    const chosen = atMostRows(tail, MAX_FOLD_ROWS);
    const batch = newestBatch(chosen.map(({ head }) => head));
    const packed = chosen.filter(({ fresh }) => fresh === undefined);
    const asTheyCame = chosen.filter(({ fresh }) => fresh !== undefined);
    const whole = await joinedTail(change, asTheyCame, onProblem);
    const news = whole ? wholeDays(whole).flatMap(countRows) : [];
    news.push(...(await countsOfBlocks({ view: change, ...folding }, account, packed, 'minute')));
    await count(change, { account, batch }, news, onProblem);
    await change.counted(account, batch);
    await settle(change, account, packed, onProblem);
    await pack(change, account, asTheyCame, whole, onProblem);
    for (const day of new Set(chosen.map(({ head }) => dayOf(head.first))))
      await compact(change, account, day, onProblem);
    folding.open.forget(account);
  }
}

/** Rows that were counted already become blocks. */
export async function packCounted(
  change: ShelfChange,
  account: string,
  block: TailBlock,
  onProblem: OnProblem,
): Promise<void> {
  if (block.fresh === undefined) await settle(change, account, [block], onProblem);
  else await pack(change, account, [block], await joinedTail(change, [block], onProblem), onProblem);
}

/** The rows of each day in the order of time; mostly they are so already. */
const wholeDays = (table: RowTable): readonly RowTable[] =>
  isOneDayInOrder(table) ? [table] : cutByDay(table, table.length);

function isOneDayInOrder({ times }: RowTable): boolean {
  for (let row = 1; row < times.length; row += 1) if (times[row]! < times[row - 1]!) return false;
  return times.length > 0 && dayOf(times[0]!) === dayOf(times.at(-1)!);
}

type Reading = Folding & { readonly view: ShelfView };

/** What rows that are in no tally yet count. */
export const talliesOfTail = async (reading: Reading, account: string, unit: BucketUnit): Promise<readonly Cells[]> =>
  countsOfBlocks(reading, account, await reading.view.tail(account), unit);

async function countsOfBlocks(
  reading: Reading,
  account: string,
  blocks: readonly TailBlock[],
  unit: BucketUnit,
): Promise<readonly Cells[]> {
  const known = reading.open.countsOf(account, new Set(blocks.map(({ head }) => head.batch)));
  const tallies = known.flatMap(({ cells }) => inUnit(cells, unit));
  for (const block of blocks)
    if (!known.some(({ batches }) => batches.has(block.head.batch)))
      tallies.push(...(await countsOf(reading, account, block, unit)));
  return tallies;
}

/** What is counted by minutes in another unit. */
const inUnit = (cells: readonly Cells[], unit: BucketUnit): readonly Cells[] =>
  finerThan[unit] ? talliesOf(inUnit(cells, finerThan[unit]), unit) : cells;

/** What one block counts. It never changes: what was counted once is kept. */
async function countsOf(
  { kept, view, onProblem }: Reading,
  account: string,
  block: TailBlock,
  unit: BucketUnit,
): Promise<readonly Cells[]> {
  const { batch } = block.head;
  const key = `fresh ${unit} ${batch} ${account}`;
  const known = kept.get(key)?.opened as readonly Cells[] | undefined;
  if (known) return known;
  const byMinute = await sparing(onProblem, async () => wholeDays(await tableOfTail(view, block)).flatMap(countRows));
  if (!byMinute) return [];
  const counted = inUnit(byMinute, unit);
  const cells = counted.reduce((sum, { length }) => sum + length, 0);
  kept.set(key, { batch, opened: counted }, cells * BYTES_FOR_CELL);
  return counted;
}

const finerThan: Readonly<Record<BucketUnit, BucketUnit | undefined>> = {
  minute: undefined,
  hour: 'minute',
  day: 'hour',
};
// Numbers of ten columns, and texts of which few are here alone.
const BYTES_FOR_CELL = 64;

async function tableOfTail(view: ShelfView, { head, fresh }: TailBlock): Promise<RowTable> {
  return fresh === undefined ? rowsOf(view, head) : readRows(fresh, head.batch);
}

/** The rows of blocks that are in no tally yet. */
export async function tablesOfTail(
  view: ShelfView,
  tail: readonly TailBlock[],
  onProblem: OnProblem,
): Promise<RowTable[]> {
  const tables: RowTable[] = [];
  for (const block of tail) {
    const table = await sparing(onProblem, () => tableOfTail(view, block));
    if (table) tables.push(table);
  }
  return tables;
}

/** Undefined when none of them can be read, or there are none. */
async function joinedTail(
  view: ShelfView,
  tail: readonly TailBlock[],
  onProblem: OnProblem,
): Promise<RowTable | undefined> {
  const tables = await tablesOfTail(view, tail, onProblem);
  return tables.length === 0 ? undefined : joined(tables);
}

async function count(
  change: ShelfChange,
  { account, batch }: { account: string; batch: number },
  byMinute: readonly Cells[],
  onProblem: OnProblem,
): Promise<void> {
  // Of what was counted by minutes hours are made, and of those days: each is a fraction of what it is made of. For what
  // minutes have no room an hour has.
  let news = byMinute;
  for (const unit of bucketUnits) {
    news = unit === 'minute' ? oneForHour(news) : talliesOf(news, unit);
    for (const own of news) {
      const { start } = own;
      const [known] = await change.bodies(account, unit, [start]);
      const open = known && (await sparing(onProblem, () => openTally(start, known.body)));
      // What there is no room for is given up before it is added to what is known.
      const merged = mergedTally(unit, open, bounded(own, unit));
      await change.putTally(account, unit, { start, batch, queries: queriesIn(own), body: packTally(merged) });
    }
  }
}

/** Tallies of minutes, of which several may be of one hour; mostly none are. */
const oneForHour = (tallies: readonly Cells[]): readonly Cells[] =>
  [...Map.groupBy(tallies, ({ start }) => start).values()].flatMap((ofHour) =>
    ofHour.length === 1 ? ofHour : talliesOf(ofHour, 'minute'),
  );

/** Packed blocks that were counted. */
async function settle(
  change: ShelfChange,
  account: string,
  packed: readonly TailBlock[],
  onProblem: OnProblem,
): Promise<void> {
  const heads = packed.map(({ head }) => head);
  if (heads.length === 0) return;
  await change.setCounted(heads);
  const parts = await change.parts(heads, ['keys']);
  const occurring: { day: number; occurring: Occurring }[] = [];
  for (const [place, head] of heads.entries()) {
    const noted = await sparing(onProblem, () => occurringInKeys(parts[place]!.keys, head));
    occurring.push({ day: dayOf(head.first), occurring: noted ?? anything });
  }
  await noteOccurring(change, { account, batch: newestBatch(heads) }, occurring, onProblem);
}

/** Rows as they came become blocks. */
async function pack(
  change: ShelfChange,
  account: string,
  blocks: readonly TailBlock[],
  whole: RowTable | undefined,
  onProblem: OnProblem,
): Promise<void> {
  const heads = blocks.map(({ head }) => head);
  const batch = newestBatch(heads);
  await change.remove(heads);
  if (!whole) return;
  const cut = cutByDay(whole, MAX_ROWS);
  await change.addCounted(
    account,
    cut.map((table) => blockOf(table, { level: 1, batch })),
  );
  const occurring = cut.map((table) => ({ day: dayOf(table.times[0]!), occurring: occurringIn(table) }));
  await noteOccurring(change, { account, batch }, occurring, onProblem);
}

async function noteOccurring(
  change: ShelfChange,
  { account, batch }: { account: string; batch: number },
  news: readonly { readonly day: number; readonly occurring: Occurring }[],
  onProblem: OnProblem,
): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(news, (each) => each.day)) {
    const [known] = await change.bodies(account, 'occurring', [day]);
    // Where it cannot be read what was noted, anything may have occurred.
    const open = known && ((await sparing(onProblem, () => openOccurring(known.body))) ?? anything);
    const all = ofDay.map(({ occurring }) => occurring);
    const merged = mergedOccurring(open ? [open, ...all] : all);
    await change.putTally(account, 'occurring', { start: day, batch, queries: 0, body: packOccurring(merged) });
  }
}

function atMostRows(blocks: readonly TailBlock[], limit: number): readonly TailBlock[] {
  let weight = 0;
  const end = blocks.findIndex(({ head, fresh }, place) => {
    weight += weightOf(head.rows, fresh === undefined);
    return place > 0 && weight > limit;
  });
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** Many small blocks of a day become few large ones, so that reading does not depend on how the rows came. */
async function compact(change: ShelfChange, account: string, day: number, onProblem: OnProblem): Promise<void> {
  for (let level = 1; level < MAX_LEVEL; level += 1) {
    const small = (await headsOf(change, account, day, day + DAY_MS - 1)).filter(
      (head) => head.level === level && !isFull(head),
    );
    if (small.length < FAN_IN) continue;
    const tables: RowTable[] = [];
    for (const head of small) {
      const table = await sparing(onProblem, () => rowsOf(change, head));
      if (table) tables.push(table);
    }
    await change.remove(small);
    await change.addCounted(account, blocksOf(joined(tables), { level: level + 1, batch: newestBatch(small) }));
  }
}

/** Takes the rows before a time out of the blocks that hold rows on both sides of it. */
export async function trim(change: ShelfChange, account: string, cutoff: number, onProblem: OnProblem): Promise<void> {
  for (const head of await headsOf(change, account, dayOf(cutoff), cutoff - 1)) {
    if (head.level === 0 || head.last < cutoff) continue;
    const known = await sparing(onProblem, () => rowsOf(change, head));
    await change.remove([head]);
    if (!known) continue;
    const kept = Uint32Array.from(known.times.keys().filter((row) => known.times[row]! >= cutoff));
    await change.addCounted(account, blocksOf(chosenRows(known, kept), head));
  }
}

async function headsOf(view: ShelfView, account: string, from: number, to: number): Promise<BlockHead[]> {
  const heads: BlockHead[] = [];
  for await (const { head } of view.blocks(account, { from, to })) heads.push(head);
  return heads;
}

async function rowsOf(view: ShelfView, head: BlockHead): Promise<RowTable> {
  const [parts] = await view.parts([head], blockParts);
  return tableOf(parts!, originOf(head));
}

type Origin = { readonly level: number; readonly batch: number };

/** The rows: of one day, newest first. */
function blockOf(table: RowTable, { level, batch }: Origin): CountedBlock {
  const { times, length } = table;
  return { level, batch, first: times.at(-1)!, last: times[0]!, rows: length, ...packBlock(table, batch) };
}

const blocksOf = (table: RowTable, origin: Origin): CountedBlock[] =>
  cutByDay(table, MAX_ROWS).map((part) => blockOf(part, origin));

const newestBatch = (heads: readonly BlockHead[]): number =>
  heads.reduce((newest, { batch }) => Math.max(newest, batch), 0);
