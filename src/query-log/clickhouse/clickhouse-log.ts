import { bucketStart } from '../../domain/statistics.ts';
import { readClickhouseUrl } from '../../kit/clickhouse-url.ts';
import { DAY_MS, MINUTE_MS } from '../../kit/durations.ts';
import { startOnce } from '../../kit/single-flight.ts';
import type { PreparedInsert, SpooledEngine } from '../ingest/spooled-engine.ts';
import { type ClickhouseClient, createClickhouseClient } from './client.ts';
import { createSequences, prepareInserts } from './insert.ts';
import { readPage } from './read-page.ts';
import {
  accountsWithOtherRetention,
  changeRetention,
  deleteRows,
  dropExpiredCounts,
  expiresAt,
  readRetention,
  retentionOf,
} from './retention.ts';
import { rollupTables, upgradeSchema } from './schema.ts';
import { quoted } from './sql.ts';
import { clickhouseStatistics } from './statistics.ts';

/** Interval at which retentions are read, because another node may change them, and rows need them. */
const REFRESH_MS = 5 * MINUTE_MS;
/** Long, because the check reads two columns of all rows. */
const CHECK_MS = DAY_MS;
const CLEARED = ['queries', ...Object.values(rollupTables)];

/**
 * The query log in ClickHouse. The tables are created or upgraded by the first call that reaches the server; until then
 * every call fails as unavailable.
 */
export function openClickhouseLog(url: string, { now }: { readonly now: () => number }): SpooledEngine {
  const address = readClickhouseUrl(url);
  if (!address.ok) throw new Error(`the address of the query log ${address.error}`);
  const direct = createClickhouseClient(address.value);
  const sequences = createSequences();
  let retention: Awaited<ReturnType<typeof readRetention>> = new Map();
  let refreshedAt = 0;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const refreshRetention = async (): Promise<void> => {
    retention = await readRetention(direct);
    refreshedAt = now();
  };
  const ready = startOnce(async () => {
    await upgradeSchema(direct, address.value.database);
    await refreshRetention();
  });
  const client: ClickhouseClient = {
    select: async (sql) => {
      await ready.run();
      return direct.select(sql);
    },
    run: async (statement, options) => {
      await ready.run();
      return direct.run(statement, options);
    },
  };
  /** Rows of an account whose retention is not known yet never expire: the next retention run corrects that. */
  const retentionFor = (account: string): number | null | undefined => {
    const cached = retention.get(account);
    if (cached === undefined) checkedAt = Number.NEGATIVE_INFINITY;
    return cached;
  };
  const preparing = {
    sequences,
    expiresAt: (account: string, time: number) => expiresAt(time, retentionFor(account)),
  };
  const send = async (body: Uint8Array): Promise<void> => {
    await ready.run();
    if (now() - refreshedAt > REFRESH_MS) await refreshRetention();
    await direct.run(body, { encoding: 'gzip' });
  };
  const inserting = new Set<Promise<void>>();
  const tracked = (inserted: Promise<void>): Promise<void> => {
    const work = inserted.finally(() => inserting.delete(work));
    inserting.add(work);
    return work;
  };
  const insert = ({ body }: PreparedInsert): Promise<void> => tracked(send(body));
  const append = async (inserts: Promise<readonly PreparedInsert[]>): Promise<void> => {
    await Promise.all((await inserts).map(insert));
  };
  /** Deletes rows that were appended before, including those in flight. */
  const remove = async (tables: readonly string[], account: string): Promise<void> => {
    await Promise.allSettled(inserting);
    await deleteRows(client, tables, account);
  };

  return {
    prepare: (batches) => prepareInserts(batches, preparing),
    insert,
    appendBatches: (batches) => tracked(append(prepareInserts(batches, preparing))),
    appendBatchesOnce: (id, batches) => tracked(append(prepareInserts(batches, { ...preparing, id }))),
    page: (account, query) => readPage(client, account, query, now()),
    clear: (account) => remove(CLEARED, account),
    deleteAccount: async (account) => {
      await remove([...CLEARED, 'requests', 'retention'], account);
      retention.delete(account);
    },
    statistics: clickhouseStatistics(client, now),
    async accounts() {
      const rows = await client.select<[string]>('SELECT DISTINCT account FROM requests');
      return rows.map(([account]) => account);
    },
    async requestsSince(account, from) {
      const start = Math.max(0, bucketStart('hour', from) / 1000);
      const [row] = await client.select<[number]>(
        `SELECT sum(queries) FROM requests WHERE account = ${quoted(account)} AND start >= ${start}`,
      );
      return row![0];
    },
    async applyRetentionFrom(cutoffs) {
      await ready.run();
      await refreshRetention();
      const wanted = new Map(Array.from(cutoffs, ([account, cutoff]) => [account, retentionOf(cutoff, now())]));
      const isCheckDue = now() - checkedAt > CHECK_MS;
      if (isCheckDue) checkedAt = now();
      const others = isCheckDue ? await accountsWithOtherRetention(direct, wanted) : undefined;
      const isChanged = (account: string, minutes: number | null): boolean =>
        (retention.get(account) ?? null) !== minutes || others?.has(account) === true;
      const changed = new Map([...wanted].filter(([account, minutes]) => isChanged(account, minutes)));
      await changeRetention(direct, changed);
      for (const [account, minutes] of changed) retention.set(account, minutes);
      await dropExpiredCounts(direct, now());
    },
    health: async () => ({ outdatedSegments: 0 }),
    close: async () => {
      await ready.started()?.catch(() => undefined);
    },
  };
}
