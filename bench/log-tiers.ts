import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { threadFile } from '../src/platform/thread-file.ts';
import { type LogLocation, openQueryLog, openRingWriter } from '../src/query-log/index.ts';
import { newClickhouseDatabase } from '../test/support/query-log/clickhouse.ts';
import { newPostgresDatabase } from '../test/support/store/postgres.ts';
import { showBars } from './bars.ts';
import { measureWriters } from './log-writers.ts';
import { queryMaker } from './records.ts';

/** Queries per second of a household. */
const HOUSEHOLD_PER_SECOND = 0.25;
const CHUNK = 50;
/** Part of the duration in which queries are made without recording them. */
const ALONE_SHARE = 0.25;
const TICKS_PER_SECOND = 100;

/** Sizes of a store: bytes on disk, rows of its tables, and bytes of its write-ahead log. */
type Sizes = { readonly bytes: number; readonly tableRows?: number; readonly wal?: number };
type Store = { readonly log: LogLocation; readonly sizes: () => Promise<Sizes> };

/**
 * CPU time of Weir and of the database server, and disk space, per query of many quiet households. The thread that makes
 * the queries is left out, except for writing them to the ring.
 */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      households: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '60' },
      /** Seconds of the same queries before the measurement: functions are compiled and tables have grown. */
      'warm-up': { type: 'string', default: '150' },
      /** Queries per second; by default those of all households. */
      'per-second': { type: 'string' },
      only: { type: 'string' },
    },
  });
  const households = Number(values.households);
  const perSecond = Number(values['per-second'] ?? households * HOUSEHOLD_PER_SECOND);
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const stores: Readonly<Record<string, () => Promise<Store | undefined>>> = {
    sqlite: async () => ({ log: { folder }, sizes: async () => ({ bytes: bytesIn(folder) }) }),
    postgresql: postgresStore,
    clickhouse: clickhouseStore,
  };
  const table: Record<string, object> = {};
  try {
    for (const [name, open] of Object.entries(stores)) {
      if (values.only !== undefined && values.only !== name) continue;
      const store = await open();
      const seconds = { seconds: Number(values.seconds), warmUp: Number(values['warm-up']) };
      if (store) table[name] = await measure(store, { households, perSecond, ...seconds });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.table(table);
  if ('postgresql' in table) showBars(await measureWriters());
}

async function measure(
  { log, sizes }: Store,
  {
    households,
    perSecond,
    seconds,
    warmUp,
  }: Readonly<Record<'households' | 'perSecond' | 'seconds' | 'warmUp', number>>,
): Promise<object> {
  const records = await openQueryLog({
    log,
    rings: 1,
    thread: threadFile('app/query-log-thread'),
    companies: undefined,
    geoDatabases: [],
    onProblem: (problem) => console.error(problem),
  });
  const devices = households * 8;
  for (let clientId = 0; clientId < devices; clientId += 1) {
    const account = `account-${clientId % households}`;
    const client = { dnsServer: `server-${account}`, device: `device-${clientId}`, ipLog: false };
    records.clientIdPort.postMessage({ kind: 'client', clientId, account, ...client });
  }
  await records.log.accounts();
  const writer = openRingWriter(records.rings[0]!);
  const next = queryMaker(devices);
  const write = async (rows: number): Promise<number> => {
    const spent = await inChunks(rows, perSecond, (row) => writer.put(next(row)));
    // A call that reads stores all rows first.
    await records.log.requestsSince('account-0', Date.now());
    return spent;
  };
  const rowsOf = (duration: number): number => Math.ceil((perSecond * duration) / CHUNK) * CHUNK;
  await write(rowsOf(warmUp));
  // At the same pace: between two chunks the caches of the processor lose code and data of the generator.
  const aloneRows = rowsOf(seconds * ALONE_SHARE);
  const aloneCpu = await inChunks(aloneRows, perSecond, queryMaker(devices));
  const rows = rowsOf(seconds);
  const alone = aloneCpu * (rows / aloneRows);
  const [before, warm] = [await sizes(), await records.stats()];
  const [weir, thread, server] = [process.cpuUsage(), process.threadCpuUsage(), serverCpu()];
  const writing = await write(rows);
  const others = microseconds(process.cpuUsage(weir)) - microseconds(process.threadCpuUsage(thread));
  const ofWeir = others + Math.max(0, writing - alone);
  const [ofServer, after] = [serverCpu() - server, await sizes()];
  const { stored: storedInAll, waiting, dropped } = await records.stats();
  const stored = storedInAll - warm.stored;
  await records.stop();
  const cpu = ofWeir / 1e6 + ofServer;
  const per = (amount: number | undefined): string => (amount === undefined ? '' : (amount / stored).toFixed(1));
  const walBytes = after.wal === undefined ? undefined : after.wal - before.wal!;
  return {
    rows: stored,
    waiting,
    dropped: Object.values(dropped).reduce((sum, count) => sum + count),
    'microseconds, Weir': per(ofWeir),
    'microseconds, server': per(ofServer * 1e6),
    'rows per CPU second': Math.round(stored / cpu),
    'queries per table row':
      after.tableRows === undefined ? '' : (stored / (after.tableRows - before.tableRows!)).toFixed(1),
    'bytes on disk': per(after.bytes - before.bytes),
    'bytes of WAL': per(walBytes),
  };
}

/** Returns the CPU time of this thread for the work on so many rows, a chunk at a time. */
async function inChunks(rows: number, perSecond: number, work: (row: number) => unknown): Promise<number> {
  const start = performance.now();
  let spent = 0;
  for (let row = 0; row < rows; row += CHUNK) {
    const before = process.threadCpuUsage();
    for (let index = 0; index < CHUNK; index += 1) work(row + index);
    spent += microseconds(process.threadCpuUsage(before));
    const early = (1000 * (row + CHUNK)) / perSecond - (performance.now() - start);
    if (early > 1) await setTimeout(early);
  }
  return spent;
}

const microseconds = ({ user, system }: NodeJS.CpuUsage): number => user + system;

async function postgresStore(): Promise<Store | undefined> {
  const url = await newPostgresDatabase();
  if (url === undefined) return undefined;
  const sizes = async (): Promise<Sizes> => {
    const client = new pg.Client(url);
    await client.connect();
    const number = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]['value']);
    const wal = await number("SELECT pg_current_wal_lsn() - '0/0' AS value");
    const bytes = await number(
      "SELECT sum(pg_total_relation_size(oid)) AS value FROM pg_class WHERE relname LIKE 'log_%' AND relkind = 'r'",
    );
    const tableRows = await number(
      'SELECT (SELECT count(*) FROM log_blocks) + (SELECT count(*) FROM log_shared) AS value',
    );
    await client.end();
    return { bytes, tableRows, wal };
  };
  return { log: { postgres: url }, sizes };
}

async function clickhouseStore(): Promise<Store | undefined> {
  const database = await newClickhouseDatabase();
  const sizes = async (): Promise<Sizes> => {
    for (const table of ['queries', 'queries_by_minute', 'queries_by_hour', 'queries_by_day'])
      await database!.run(`OPTIMIZE TABLE ${table} FINAL`);
    const bytes = await database!.run(
      'SELECT sum(bytes_on_disk) FROM system.parts WHERE database = currentDatabase() AND active',
    );
    return { bytes: Number(/\d+/.exec(bytes)?.[0]) };
  };
  return database && { log: { clickhouse: database.url }, sizes };
}

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** Seconds of CPU time of all child processes, and of those that they have started. */
function serverCpu(): number {
  const children = (pid: number): number[] =>
    readProcess(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  const ofTree = (pid: number): number => {
    // User and system time, of the process and of its ended children.
    const [, fields = ''] = readProcess(`${pid}/stat`).split(') ');
    const ticks = fields.split(' ').slice(11, 15).map(Number);
    return children(pid).reduce(
      (sum, child) => sum + ofTree(child),
      ticks.reduce((sum, part) => sum + part, 0) / TICKS_PER_SECOND,
    );
  };
  return children(process.pid).reduce((sum, child) => sum + ofTree(child), 0);
}

/** A file of a process; empty if the process has just ended, after which its parent has its time. */
function readProcess(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
