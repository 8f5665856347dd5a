import {
  bucketStart,
  bucketsOf,
  coarsely,
  countedBucketsOf,
  type StatisticsQuery,
  unitRules,
} from '../domain/statistics.ts';
import { singleFlight } from '../kit/single-flight.ts';
import { erasing } from './backends/erasing.ts';
import type { LogBackend, ReadTransaction, UnflushedCounts } from './backends/log-backend.ts';
import {
  type AccountBatch,
  accountBatches,
  type EncodedBatch,
  isOfAccount,
  isShared,
  type LogEngine,
  shareBatches,
} from './log-engine.ts';
import { countBlockedCategories } from './query/count-blocked-categories.ts';
import { countClients } from './query/count-clients.ts';
import { countLists } from './query/count-lists.ts';
import { readPage } from './query/read-page.ts';
import {
  activeDevicesOf,
  categoriesOf,
  companiesOf,
  companyDetailsOf,
  countriesOf,
  devicesOf,
  domainsOf,
  timeOf,
} from './query/statistics.ts';
import { sumLatency } from './query/sum-latency.ts';
import { createPendingCounts, type PendingCounts } from './rollups/pending-counts.ts';
import { openRollup, type RollupRows, rollupStart } from './rollups/rollup.ts';
import { createRollupCache, type RollupCache, readRollups } from './rollups/rollup-cache.ts';
import type { RollupQuery } from './rollups/sums.ts';
import { truncate } from './segments/compact.ts';
import { flush, weightOf } from './segments/flush.ts';
import { MAX_BATCH_ROWS } from './segments/raw-rows.ts';
import { dayOf } from './segments/row-table.ts';
import { unflushedRollups, unflushedTables } from './segments/unflushed.ts';
import { upgradeInBackground } from './segments/upgrade.ts';

/**
 * An account is flushed from this number of rows or segments on. Larger flushes cost less per row, because rollups are rewritten less
 * often, but every query reads the unflushed rows.
 */
const MAX_UNFLUSHED_ROWS = 32_768;
const MAX_UNFLUSHED_SEGMENTS = 256;
/** The limit for segments that were moved from shared batches, which have more rows. */
const MAX_MOVED_SEGMENTS = 64;
/** Rows in shared batches of one bucket. */
const MAX_SHARED_ROWS = 131_072;
/** Pause between checks for rows to be moved, unless many were appended. */
const CHECK_MS = 30_000;
const CHECKS_PER_LIMIT = 8;
/** Accounts per flush; the others follow with the next append. */
const MAX_FLUSHES = 64;

export type LogEnvironment = {
  readonly now: () => number;
  /** Called with errors of background work that will be retried. */
  readonly onProblem: (problem: unknown) => void;
  /** Unflushed rows of an account. */
  readonly maxUnflushedRows?: number;
  /** Rows that are moved from shared batches at once; fewer after some minutes. */
  readonly maxSharedRows?: number;
};

type OnProblem = LogEnvironment['onProblem'];

/** The log engine for SQLite and PostgreSQL: segments of rows, and rollups of their counts. */
export async function openSegmentEngine(backend: LogBackend, environment: LogEnvironment): Promise<LogEngine> {
  const { now, onProblem, maxUnflushedRows = MAX_UNFLUSHED_ROWS, maxSharedRows = MAX_SHARED_ROWS } = environment;
  const unflushedByAccount = new Map(
    (await backend.unflushedByAccount()).map((unflushed) => [unflushed.account, { ...unflushed }]),
  );
  const cache = createRollupCache();
  const pending = createPendingCounts();
  const erasure = erasing(backend.erase, onProblem);
  // Repeated at the start, because a deletion may have been interrupted before the bytes were overwritten.
  erasure.soon();
  const flushNow = async (accounts: readonly string[]): Promise<void> => {
    await backend.change(accounts, async (change) => {
      for (const account of accounts) await flush(change, account, { cache, pending, onProblem });
    });
    for (const account of accounts) unflushedByAccount.delete(account);
  };
  const isFull = ({ rows, encodedRows, segments }: UnflushedCounts, maxSegments: number): boolean =>
    weightOf(rows, false) + weightOf(encodedRows, true) >= maxUnflushedRows || segments >= maxSegments;
  const flushFull = async (records: readonly AccountBatch[]): Promise<void> => {
    for (const { account, rows, first, content } of records) {
      const isEncoded = content.kind === 'encoded';
      const unflushed = unflushedByAccount.get(account) ?? { account, segments: 0, rows: 0, encodedRows: 0, first };
      unflushedByAccount.set(account, {
        account,
        segments: unflushed.segments + 1,
        rows: unflushed.rows + (isEncoded ? 0 : rows),
        encodedRows: unflushed.encodedRows + (isEncoded ? rows : 0),
        first: Math.min(first, unflushed.first),
      });
    }
    const full = [...new Set(records.map(({ account }) => account))].filter((account) =>
      isFull(unflushedByAccount.get(account)!, MAX_UNFLUSHED_SEGMENTS),
    );
    // The records are stored; a failed flush is retried with the next append.
    if (full.length > 0) await flushNow(full.slice(0, MAX_FLUSHES)).catch(onProblem);
  };
  const unsharing = singleFlight<void>();
  let [checkedAt, sharedRows] = [performance.now(), 0];
  const unshare = async (): Promise<void> => {
    if (!(await backend.sharing!.unshare({ maxRows: maxSharedRows }))) return;
    // Another node may have moved rows of the same accounts.
    for (const unflushed of await backend.unflushedByAccount()) unflushedByAccount.set(unflushed.account, unflushed);
    const all = Array.from(unflushedByAccount.values());
    const full = all.filter((unflushed) => isFull(unflushed, MAX_MOVED_SEGMENTS));
    for (const { account } of full.slice(0, MAX_FLUSHES)) await flushNow([account]);
  };
  // Rows that were appended during a move need another one.
  let isMoveDue = false;
  const unshareAll = async (): Promise<void> => {
    while (isMoveDue) {
      isMoveDue = false;
      await unshare().catch(onProblem);
    }
  };
  /** Runs in the background; appends continue meanwhile, and failed work is retried after a later append. */
  const unshareIfDue = (rows: number): void => {
    sharedRows += rows;
    if (sharedRows < maxSharedRows / CHECKS_PER_LIMIT && performance.now() - checkedAt < CHECK_MS) return;
    [checkedAt, sharedRows] = [performance.now(), 0];
    isMoveDue = true;
    void unsharing.run(unshareAll);
  };
  const upgrade = upgradeInBackground(backend, { onProblem, flush: (account) => flushNow([account]) });
  const counted = (account: string, query: StatisticsQuery, isByTime = false): Promise<RollupQuery> =>
    backend.read((view) => readCounted({ view, cache, pending, onProblem }, account, query, { now: now(), isByTime }));

  const append = async (encoded: readonly EncodedBatch[], id?: string): Promise<void> => {
    if (encoded.length === 0) return;
    const { sharing } = backend;
    const batches = sharing ? shareBatches(encoded) : accountBatches(encoded);
    const shared = batches.filter(isShared);
    const records = batches.filter(isOfAccount);
    const rows = shared.reduce((sum, batch) => sum + batch.rows, 0);
    if (sharing && records.length === 0 && id === undefined) {
      await sharing.append(shared);
      return unshareIfDue(rows);
    }
    const stored = await backend.change([], async (change) => {
      const isNew = id === undefined ? () => true : await change.receive(id, encoded.map(firstOf));
      const fresh = records.filter(({ first }) => isNew(first));
      let next = await change.batches(fresh.reduce((sum, { rows }) => sum + batchesFor(rows), 0));
      const numbered = fresh.map((record) => {
        next += batchesFor(record.rows);
        return { ...record, batch: next - 1 };
      });
      await change.appendSegments(numbered);
      await change.shared?.append(shared.filter(({ first }) => isNew(first)));
      return numbered;
    });
    for (const { account, batch, numbered } of stored) if (numbered) pending.add(account, batch, numbered);
    await flushFull(stored);
    if (sharing) unshareIfDue(rows);
  };

  return {
    appendBatches: (batches) => append(batches),
    appendBatchesOnce: (id, batches) => append(batches, id),
    page: (account, query) => backend.read((view) => readPage({ view, cache, onProblem }, account, query)),
    async clear(account) {
      await backend.change([account], async (change) => {
        await change.shared?.unshare(account);
        await flush(change, account, { cache, pending, onProblem });
        await change.clearRollups(account);
        await change.removeAll(account);
      });
      unflushedByAccount.delete(account);
      erasure.soon();
      await backend.removeDamaged(account);
    },
    async deleteAccount(account) {
      await backend.change([account], async (change) => {
        await change.shared?.unshare(account);
        await change.deleteRollups(account);
        await change.removeAll(account);
      });
      pending.deleteAccount(account);
      unflushedByAccount.delete(account);
      erasure.soon();
      await backend.removeDamaged(account);
    },
    statistics: {
      activeDevices: async (account, query) => activeDevicesOf(await counted(account, query, true)),
      blockedCategories: (account, query) =>
        backend.read((view) => countBlockedCategories({ view, cache, onProblem }, account, query)),
      categories: async (account, query) => categoriesOf(await counted(account, query)),
      clients: (account, query) => backend.read((view) => countClients({ view, cache, onProblem }, account, query)),
      companies: async (account, query) => companiesOf(await counted(account, query)),
      companiesDetailed: async (account, query) =>
        companyDetailsOf(await counted(account, query), query.limit, query.page ?? 1),
      countries: async (account, query) => countriesOf(await counted(account, query)),
      devices: async (account, query) => devicesOf(await counted(account, query)),
      domains: async (account, query) => domainsOf(await counted(account, query)),
      latency: (account, query) =>
        backend.read((view) => sumLatency({ view, cache, onProblem }, account, query, now())),
      lists: (account, query) => backend.read((view) => countLists({ view, cache, onProblem }, account, query, now())),
      time: async (account, query) => timeOf(await counted(account, query, true)),
    },
    requestsSince: (account, from) =>
      backend.read((view) => requestsFrom(view, account, bucketStart('hour', from), onProblem)),
    accounts: backend.accounts,
    async applyRetentionFrom(cutoffs) {
      const before = cutoffs.values().reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
      await backend.sharing?.unshare({ before });
      for (const { account, first } of await backend.unflushedByAccount())
        if (first < (cutoffs.get(account) ?? Number.NEGATIVE_INFINITY)) await flushNow([account]);
      await backend.expire(cutoffs, {
        minute: now() - unitRules.minute.keptMs,
        hour: now() - unitRules.hour.keptMs,
        day: now() - unitRules.day.keptMs,
      });
      for (const [account, cutoff] of cutoffs)
        await backend.change([account], (change) => truncate(change, account, cutoff, onProblem));
    },
    health: async () => ({ outdatedSegments: await backend.outdatedCount() }),
    async close() {
      await upgrade.stop();
      await unsharing.running();
      await erasure.finish();
      await backend.close();
    },
  };
}

const firstOf = ({ first }: EncodedBatch): number => first;

/** Batch numbers that the rows need; a segment has the last of them. */
const batchesFor = (rows: number): number => Math.ceil(rows / MAX_BATCH_ROWS);

/** Rollups and unflushed rows. */
async function readCounted(
  reading: {
    readonly view: ReadTransaction;
    readonly cache: RollupCache;
    readonly pending: PendingCounts;
    readonly onProblem: OnProblem;
  },
  account: string,
  query: StatisticsQuery,
  { now, isByTime }: { now: number; isByTime: boolean },
): Promise<RollupQuery> {
  const buckets = countedBucketsOf(query, now);
  const rollups: RollupRows[] = [];
  for (const { unit, first, last } of isByTime ? [buckets] : coarsely(buckets))
    for (const rollup of await readRollups(reading, account, {
      unit,
      from: rollupStart(unit, first),
      to: last,
      open: ({ start, body }) => openRollup(start, body),
    }))
      rollups.push(rollup);
  rollups.push(...(await unflushedRollups(reading, account, buckets.unit)));
  return { query, buckets, resultBuckets: bucketsOf(query, now), rollups };
}

/** Full days from day rollups, the hours before the first full day from hour rollups. */
async function requestsFrom(
  view: ReadTransaction,
  account: string,
  from: number,
  onProblem: OnProblem,
): Promise<number> {
  const firstDay = dayOf(from) === from ? from : dayOf(from) + unitRules.day.ms;
  const unflushed = await view.unflushed(account);
  const wholeSegmentRows = unflushed
    .filter(({ meta }) => meta.first >= from)
    .reduce((sum, { meta }) => sum + meta.rows, 0);
  const partly = unflushed.filter(({ meta }) => meta.first < from && meta.last >= from);
  const tables = await unflushedTables(view, partly, onProblem);
  const unflushedCount = tables.reduce(
    (sum, { times }) => sum + times.filter((time) => time >= from).length,
    wholeSegmentRows,
  );
  const hours = await view.queries(account, 'hour', from, firstDay - 1);
  const days = await view.queries(account, 'day', firstDay, Number.MAX_SAFE_INTEGER);
  return hours + days + unflushedCount;
}
