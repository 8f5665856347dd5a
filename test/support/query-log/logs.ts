import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, type TestOptions, test } from 'node:test';
import { type LogQuery, parseLogCursor } from '../../../src/domain/log-query.ts';
import type { QueryRecord } from '../../../src/domain/query-record.ts';
import { type LogStore, openLog } from '../../../src/query-log/index.ts';
import { newPostgresDatabase } from '../store/postgres.ts';
import { newClickhouseDatabase } from './clickhouse.ts';

export const NOW = Date.UTC(2026, 10, 15, 12, 30);

type Opened = { readonly log: LogStore /** Opens the same data again. */; readonly again: () => Promise<LogStore> };
type Test = Pick<TestContext, 'after' | 'skip'>;

const failing = (problem: unknown): never => {
  throw problem;
};
/** Low, so tests have flushed rows. */
export const MAX_UNFLUSHED_ROWS = 16_384;
/** Low, so tests have rows in shared batches and rows that were moved from there. */
const MAX_SHARED_ROWS = 300;
const environment = {
  now: () => NOW,
  onProblem: failing,
  maxUnflushedRows: MAX_UNFLUSHED_ROWS,
  maxSharedRows: MAX_SHARED_ROWS,
};

export async function temporaryFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-log-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function reopenable(t: Test, open: () => Promise<LogStore>): Promise<Opened> {
  let log = await open();
  t.after(() => log.close());
  return {
    log,
    async again() {
      await log.close();
      log = await open();
      return log;
    },
  };
}

const databases: Readonly<Record<string, (t: Test) => Promise<Opened | undefined>>> = {
  SQLite: async (t) => {
    const folder = await temporaryFolder(t);
    return reopenable(t, () => openLog({ folder }, environment));
  },
  PostgreSQL: async (t) => {
    const url = await newPostgresDatabase();
    return url === undefined ? undefined : reopenable(t, () => openLog({ postgres: url }, environment));
  },
  ClickHouse: async (t) => {
    const database = await newClickhouseDatabase();
    if (database === undefined) return undefined;
    const opened = await reopenable(t, () => openLog({ clickhouse: database.url }, environment));
    // Creates the tables. ClickHouse would delete rows by its own clock, which is later than `NOW`.
    await opened.log.accounts();
    await database.run('ALTER TABLE queries REMOVE TTL');
    return opened;
  },
};

/** Runs a test of the log contract on each database. */
export function testLogs(name: string, run: (opened: Opened) => Promise<void>, options: TestOptions = {}): void {
  for (const [database, open] of Object.entries(databases))
    test(`${name} (${database})`, options, async (t) => {
      const opened = await open(t);
      if (opened) await run(opened);
      else t.skip(`there is no ${database} here`);
    });
}

/** A query of the account `home`, one second ago, with overrides. */
export const aRecord = (different: Partial<QueryRecord> = {}): QueryRecord => ({
  time: NOW - 1000,
  account: 'home',
  dnsServer: 'server-1',
  device: 'phone',
  domain: 'example.org',
  type: 1,
  rcode: 0,
  protocol: 'DOH',
  status: 'NONE',
  dnssec: false,
  companyId: 'example',
  category: 'OTHERS',
  ...different,
});

const MAX_ROWS_READ = 2_000_000;

/** The rows of all pages. */
export async function allPages(log: LogStore, account: string, query: LogQuery): Promise<QueryRecord[]> {
  const rows: QueryRecord[] = [];
  let asked: LogQuery | undefined = query;
  while (asked) {
    const { items, pages } = await log.page(account, asked);
    rows.push(...items);
    if (rows.length > MAX_ROWS_READ) throw new Error('pages do not end');
    const next = pages[pages.findIndex(({ isCurrent }) => isCurrent) + 1];
    asked = next && { ...query, cursor: parseLogCursor(next.cursor)! };
  }
  return rows;
}
