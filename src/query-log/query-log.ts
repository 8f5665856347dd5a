import type { QueryRecord } from '../domain/query-record.ts';
import {
  bucketStart,
  bucketsOf,
  coarsely,
  countedBucketsOf,
  type StatisticsQuery,
  unitRules,
} from '../domain/statistics.ts';
import { erasing } from './backends/erasing.ts';
import type { FreshBlock, Shelf, ShelfView } from './backends/log-backend.ts';
import type { LogStore } from './log-store.ts';
import { readPage } from './query/read-page.ts';
import {
  categoriesOf,
  companiesOf,
  companyDetailsOf,
  countriesOf,
  devicesOf,
  domainsOf,
  timeOf,
} from './query/statistics.ts';
import { createOpenCounts, type NumberedRows, type OpenCounts } from './rollups/open-counts.ts';
import { type Cells, openTally, tallyStart } from './rollups/rollup.ts';
import { type OpenTallies, openTallies, readTallies } from './rollups/rollup-cache.ts';
import type { Counted } from './rollups/sums.ts';
import { fold, tablesOfTail, talliesOfTail, trim, weightOf } from './segments/flush.ts';
import { MAX_BATCH_ROWS } from './segments/memtable.ts';
import { dayOf } from './segments/row-table.ts';
import { writeRows } from './segments/write-rows.ts';

/**
 * An account's rows are counted when there are so many of them or they lie in so many blocks. More at once cost less each, since the
 * tallies they are added to are read and written once; but whoever asks meanwhile looks through all of them.
 */
const MAX_TAIL_ROWS = 32_768;
const MAX_TAIL_BLOCKS = 256;
/** So many accounts' at a time; the others' turn comes with the next records. */
const MAX_FOLDS = 64;

export type LogSurroundings = {
  readonly now: () => number;
  /** Told of what failed and will be tried again: nobody waits for it. */
  readonly onProblem: (problem: unknown) => void;
  /** As many rows of an account as are left uncounted. */
  readonly maxTailRows?: number;
};

type OnProblem = LogSurroundings['onProblem'];

/** Records on their way to the store. Rows are packed where they arise, which may be another thread. */
export type PackedRecords = Omit<FreshBlock, 'batch'> & {
  /** For packed ones, by whoever has them by numbers. */
  readonly numbered?: NumberedRows;
};

/** A store whose parts can be called from another thread: no functions go in, and records come packed. */
export type PackedLog = Omit<LogStore, 'append' | 'retain'> & {
  readonly appendPacked: (records: readonly PackedRecords[]) => Promise<void>;
  readonly retainFrom: (cutoffs: ReadonlyMap<string, number>) => Promise<void>;
};

export const unpacked = ({ appendPacked, retainFrom, ...others }: PackedLog): LogStore => ({
  ...others,
  append: (records) => appendPacked(packRecords(records)),
  retain: async (cutoffs) =>
    retainFrom(new Map((await others.accounts()).map((account) => [account, cutoffs(account)] as const))),
});

const accountOf = ({ account }: QueryRecord): string => account;
const timeOfRecord = ({ time }: QueryRecord): number => time;
const dayOfRecord = ({ time }: QueryRecord): number => dayOf(time);

/** The records of each account and day together. */
function packRecords(records: readonly QueryRecord[]): PackedRecords[] {
  const ofAccounts = [...Map.groupBy(records, accountOf).values()];
  const groups = ofAccounts.flatMap((group) => [...Map.groupBy(group, dayOfRecord).values()]);
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MAX_BATCH_ROWS) }, (_, part) => {
      const rows = group.slice(part * MAX_BATCH_ROWS, (part + 1) * MAX_BATCH_ROWS);
      const times = rows.map(timeOfRecord);
      return {
        account: rows[0]!.account,
        first: Math.min(...times),
        last: Math.max(...times),
        rows: rows.length,
        content: { kind: 'as they came', fresh: writeRows(rows) } as const,
      };
    }),
  );
}

export async function logOver(shelf: Shelf, surroundings: LogSurroundings): Promise<PackedLog> {
  const { now, onProblem, maxTailRows = MAX_TAIL_ROWS } = surroundings;
  const tails = new Map((await shelf.tails()).map((tail) => [tail.account, { ...tail }]));
  const kept = openTallies();
  const open = createOpenCounts();
  const erasure = erasing(shelf.erase, onProblem);
  // A deletion may have been interrupted before the bytes were overwritten.
  erasure.soon();
  const foldNow = async (accounts: readonly string[]): Promise<void> => {
    await shelf.change(accounts, async (change) => {
      for (const account of accounts) await fold(change, account, { kept, open, onProblem });
    });
    for (const account of accounts) tails.delete(account);
  };
  const foldFull = async (records: readonly PackedRecords[]): Promise<void> => {
    for (const { account, rows, first, content } of records) {
      const isPacked = content.kind === 'packed';
      const tail = tails.get(account) ?? { account, blocks: 0, rows: 0, packedRows: 0, first };
      tails.set(account, {
        account,
        blocks: tail.blocks + 1,
        rows: tail.rows + (isPacked ? 0 : rows),
        packedRows: tail.packedRows + (isPacked ? rows : 0),
        first: Math.min(first, tail.first),
      });
    }
    const full = [...new Set(records.map(({ account }) => account))].filter((account) => {
      const { rows, packedRows, blocks } = tails.get(account)!;
      return weightOf(rows, false) + weightOf(packedRows, true) >= maxTailRows || blocks >= MAX_TAIL_BLOCKS;
    });
    // The records are stored; that they could not be counted yet is no reason to refuse them.
    if (full.length > 0) await foldNow(full.slice(0, MAX_FOLDS)).catch(onProblem);
  };
  const counted = (account: string, query: StatisticsQuery, isByTime = false): Promise<Counted> =>
    shelf.read((view) => readCounted({ view, kept, open, onProblem }, account, query, { now: now(), isByTime }));

  return {
    async appendPacked(records) {
      if (records.length === 0) return;
      const stored = await shelf.change([], async (change) => {
        let next = await change.batches(records.reduce((sum, { rows }) => sum + batchesFor(rows), 0));
        const numbered = records.map((record) => {
          next += batchesFor(record.rows);
          return { ...record, batch: next - 1 };
        });
        await change.addFresh(numbered);
        return numbered;
      });
      for (const { account, batch, numbered } of stored) if (numbered) open.add(account, batch, numbered);
      await foldFull(records);
    },
    page: (account, query) => shelf.read((view) => readPage({ view, kept, onProblem }, account, query)),
    async clear(account) {
      await shelf.change([account], async (change) => {
        await fold(change, account, { kept, open, onProblem });
        await change.clearTallies(account);
        await change.removeAll(account);
      });
      tails.delete(account);
      erasure.soon();
      await shelf.removeDamaged(account);
    },
    async forget(account) {
      await shelf.change([account], async (change) => {
        await change.removeTallies(account);
        await change.removeAll(account);
      });
      open.forget(account);
      tails.delete(account);
      erasure.soon();
      await shelf.removeDamaged(account);
    },
    statistics: {
      categories: async (account, query) => categoriesOf(await counted(account, query)),
      companies: async (account, query) => companiesOf(await counted(account, query)),
      companiesDetailed: async (account, query) =>
        companyDetailsOf(await counted(account, query), query.limit, query.page ?? 1),
      countries: async (account, query) => countriesOf(await counted(account, query)),
      devices: async (account, query) => devicesOf(await counted(account, query)),
      domains: async (account, query) => domainsOf(await counted(account, query)),
      time: async (account, query) => timeOf(await counted(account, query, true)),
    },
    requestsSince: (account, from) =>
      shelf.read((view) => requestsFrom(view, account, bucketStart('hour', from), onProblem)),
    accounts: shelf.accounts,
    async retainFrom(cutoffs) {
      for (const { account, first } of await shelf.tails())
        if (first < (cutoffs.get(account) ?? Number.NEGATIVE_INFINITY)) await foldNow([account]);
      await shelf.expire(cutoffs, {
        minute: now() - unitRules.minute.keptMs,
        hour: now() - unitRules.hour.keptMs,
        day: now() - unitRules.day.keptMs,
      });
      for (const [account, cutoff] of cutoffs)
        await shelf.change([account], (change) => trim(change, account, cutoff, onProblem));
    },
    async close() {
      await erasure.finish();
      await shelf.close();
    },
  };
}

/** Each batch numbers so many rows; a block has the number of its last. */
const batchesFor = (rows: number): number => Math.ceil(rows / MAX_BATCH_ROWS);

/** What is in tallies, and what came since. */
async function readCounted(
  reading: {
    readonly view: ShelfView;
    readonly kept: OpenTallies;
    readonly open: OpenCounts;
    readonly onProblem: OnProblem;
  },
  account: string,
  query: StatisticsQuery,
  { now, isByTime }: { now: number; isByTime: boolean },
): Promise<Counted> {
  const buckets = countedBucketsOf(query, now);
  const tallies: Cells[] = [];
  for (const { unit, first, last } of isByTime ? [buckets] : coarsely(buckets))
    for (const cells of await readTallies(reading, account, {
      unit,
      from: tallyStart(unit, first),
      to: last,
      open: ({ start, body }) => openTally(start, body),
    }))
      tallies.push(cells);
  tallies.push(...(await talliesOfTail(reading, account, buckets.unit)));
  return { query, buckets, told: bucketsOf(query, now), tallies };
}

/** Days where they are whole, hours before the first of them. */
async function requestsFrom(view: ShelfView, account: string, from: number, onProblem: OnProblem): Promise<number> {
  const firstDay = dayOf(from) === from ? from : dayOf(from) + unitRules.day.ms;
  const tail = await view.tail(account);
  const whole = tail.filter(({ head }) => head.first >= from).reduce((sum, { head }) => sum + head.rows, 0);
  const partly = tail.filter(({ head }) => head.first < from && head.last >= from);
  const tables = await tablesOfTail(view, partly, onProblem);
  const news = tables.reduce((sum, { times }) => sum + times.filter((time) => time >= from).length, whole);
  const hours = await view.queries(account, 'hour', from, firstDay - 1);
  const days = await view.queries(account, 'day', firstDay, Number.MAX_SAFE_INTEGER);
  return hours + days + news;
}
