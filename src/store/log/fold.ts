import { type BucketUnit, bucketUnits } from '../../domain/statistics.ts';
import { blockParts, packBlock, tableOf } from './block.ts';
import { sparing } from './damaged-bytes.ts';
import { readRows } from './fresh-rows.ts';
import { anything, mergedOccurring, type Occurring, openOccurring, packOccurring } from './occurring.ts';
import type { OpenTallies } from './open-tallies.ts';
import type { RowTable } from './row.ts';
import type { BlockHead, CountedBlock, ShelfChange, ShelfView } from './shelf.ts';
import { chosenRows, cutByDay, dayOf, joined } from './table.ts';
import { type Cells, mergedTally, openTally, packTally, queriesIn, rowCells, talliesOf, tallyOf } from './tally.ts';

const DAY_MS = 86_400_000;

/** A block of more rows is cut, one of half as many is large enough to stay as it is. */
const MAX_ROWS = 16_384;
const isFull = ({ rows }: { rows: number }): boolean => rows >= MAX_ROWS / 2;

/** So many blocks of one level and day become one of the next. */
const FAN_IN = 8;
const MAX_LEVEL = 6;

type OnProblem = (problem: unknown) => void;

/** As many rows as are counted at one go. */
const MAX_FOLD_ROWS = 131_072;

/** Counts what was not counted yet and packs it into blocks. */
export async function fold(change: ShelfChange, account: string, onProblem: OnProblem): Promise<void> {
  for (let tail = await change.tail(account); tail.length > 0; tail = await change.tail(account)) {
    const chosen = atMostRows(tail, MAX_FOLD_ROWS);
    const heads = chosen.map(({ head }) => head);
    const batch = newestBatch(heads);
    const whole = joined(await tablesOfTail(chosen, onProblem));
    const tables = cutByDay(whole, MAX_ROWS);
    // All at once: what is known already is read and written once, however many blocks the rows make.
    for (const ofDay of wholeDays(whole)) await count(change, { account, batch }, ofDay, onProblem);
    await change.counted(account, batch);
    await change.remove(heads);
    await pack(change, account, tables, { level: 1, batch }, onProblem);
    for (const day of new Set(tables.map(({ times }) => dayOf(times[0]!))))
      await compact(change, account, day, onProblem);
  }
}

/** The rows of each day in the order of time; mostly they are so already. */
const wholeDays = (table: RowTable): readonly RowTable[] =>
  isOneDayInOrder(table) ? [table] : cutByDay(table, table.length);

function isOneDayInOrder({ times }: RowTable): boolean {
  for (let row = 1; row < times.length; row += 1) if (times[row]! < times[row - 1]!) return false;
  return times.length > 0 && dayOf(times[0]!) === dayOf(times.at(-1)!);
}

/** Rows that were counted already become blocks. */
export async function packCounted(
  change: ShelfChange,
  account: string,
  { head, fresh }: FreshRows,
  onProblem: OnProblem,
): Promise<void> {
  await change.remove([head]);
  const tables = cutByDay(joined(await tablesOfTail([{ head, fresh }], onProblem)), MAX_ROWS);
  await pack(change, account, tables, { level: 1, batch: head.batch }, onProblem);
}

type FreshRows = { readonly head: BlockHead; readonly fresh: Uint8Array };

/** What rows that are still as they came count, block by block. They never change: what was counted once is kept. */
export async function talliesOfTail(
  { view, kept, onProblem }: { view: ShelfView; kept: OpenTallies; onProblem: OnProblem },
  account: string,
  unit: BucketUnit,
): Promise<readonly Cells[]> {
  const tallies: Cells[] = [];
  for (const { head, fresh } of await view.tail(account)) {
    const key = `fresh ${unit} ${head.batch} ${account}`;
    const known = kept.get(key)?.opened as readonly Cells[] | undefined;
    const counted = known ?? (await sparing(onProblem, () => talliesOfRows(readRows(fresh, head.batch), unit)));
    if (!known && counted) kept.set(key, { batch: head.batch, opened: counted }, fresh.length * BYTES_FOR_FRESH);
    tallies.push(...(counted ?? []));
  }
  return tallies;
}
// Texts and codes of few columns, of which a row has no more than the packed bytes of all.
const BYTES_FOR_FRESH = 2;

const talliesOfRows = (table: RowTable, unit: BucketUnit): readonly Cells[] =>
  wholeDays(table).flatMap((ofDay) => tallyOf(rowCells(ofDay), unit));

/** The rows of blocks that are still as they came. */
export async function tablesOfTail(tail: readonly FreshRows[], onProblem: OnProblem): Promise<RowTable[]> {
  const tables: RowTable[] = [];
  for (const { head, fresh } of tail) {
    const table = await sparing(onProblem, () => readRows(fresh, head.batch));
    if (table) tables.push(table);
  }
  return tables;
}

async function count(
  change: ShelfChange,
  { account, batch }: { account: string; batch: number },
  table: RowTable,
  onProblem: OnProblem,
): Promise<void> {
  // Of what was counted by minutes hours are made, and of those days: each is a fraction of what it is made of.
  let news: readonly Cells[] = [rowCells(table).cells];
  for (const unit of bucketUnits) {
    news = talliesOf(news, unit);
    for (const own of news) {
      const { start } = own;
      const [known] = await change.bodies(account, unit, [start]);
      const open = known && (await sparing(onProblem, () => openTally(start, known.body)));
      const merged = mergedTally(unit, open, own);
      await change.putTally(account, unit, { start, batch, queries: queriesIn(merged), body: packTally(merged) });
    }
  }
}

async function pack(
  change: ShelfChange,
  account: string,
  tables: readonly RowTable[],
  origin: Origin,
  onProblem: OnProblem,
): Promise<void> {
  const blocks = tables.map((table) => blockOf(table, origin));
  await change.addCounted(
    account,
    blocks.map(({ block }) => block),
  );
  for (const [day, ofDay] of Map.groupBy(blocks, ({ block }) => dayOf(block.first)))
    await noteOccurring(
      change,
      { account, batch: origin.batch, day },
      ofDay.map(({ occurring }) => occurring),
      onProblem,
    );
}

async function noteOccurring(
  change: ShelfChange,
  { account, batch, day }: { account: string; batch: number; day: number },
  news: readonly Occurring[],
  onProblem: OnProblem,
): Promise<void> {
  const [known] = await change.bodies(account, 'occurring', [day]);
  // Where it cannot be read what was noted, anything may have occurred.
  const open = known && ((await sparing(onProblem, () => openOccurring(known.body))) ?? anything);
  const merged = mergedOccurring(open ? [open, ...news] : news);
  await change.putTally(account, 'occurring', { start: day, batch, queries: 0, body: packOccurring(merged) });
}

function atMostRows<T extends { head: BlockHead }>(blocks: readonly T[], limit: number): readonly T[] {
  let rows = 0;
  const end = blocks.findIndex(({ head }, place) => {
    rows += head.rows;
    return place > 0 && rows > limit;
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
  return tableOf(parts!, dayOf(head.first));
}

type Origin = { readonly level: number; readonly batch: number };

function blockOf(table: RowTable, { level, batch }: Origin): { block: CountedBlock; occurring: Occurring } {
  const { times, length } = table;
  const { parts, few, occurring } = packBlock(table);
  return { block: { level, batch, first: times.at(-1)!, last: times[0]!, rows: length, parts, few }, occurring };
}

const blocksOf = (table: RowTable, origin: Origin): CountedBlock[] =>
  cutByDay(table, MAX_ROWS).map((part) => blockOf(part, origin).block);

const newestBatch = (heads: readonly BlockHead[]): number =>
  heads.reduce((newest, { batch }) => Math.max(newest, batch), 0);
