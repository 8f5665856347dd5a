import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LogQuery, parseLogCursor } from '../src/domain/log-query.ts';
import type { CategoryType, QueryRecord } from '../src/domain/query-record.ts';
import { type LogStore, openLog } from '../src/query-log/index.ts';
import { type Bar, showBars } from './bars.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const END = Date.UTC(2026, 10, 15, 12);
const BATCH = 1000;
const BUSY = 'busy';

const MIN_APPENDED = 100_000;
const MAX_PAGE_MS = 50;
const MAX_SEARCH_MS = 500;
const MAX_STATISTIC_MS = 50;

/** The query log in SQLite: cost of appending, and of pages and statistics over many rows. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { rows: { type: 'string', default: '2000000' }, runs: { type: 'string', default: '50' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  try {
    const store = await openLog(
      { folder },
      {
        now: () => END,
        onProblem: (problem) => {
          throw problem;
        },
      },
    );
    const bars = [await appending(store, Number(values.rows)), await appendingForMany(store)];
    console.log(`${values.rows} rows take ${(sizeOf(folder) / 1e6).toFixed(0)} MB`);
    for (const [what, max, ask] of questions(store)) bars.push(await timed(what, max, Number(values.runs), ask));
    await store.close();
    showBars(bars);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function appending(store: LogStore, rows: number): Promise<Bar> {
  const record = recordMaker(rows);
  let cpu = 0;
  for (let row = 0; row < rows; row += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => record(row + index));
    cpu += await cpuSeconds(() => store.append(batch));
  }
  return perSecond(`rows of one account appended per CPU second (at least ${MIN_APPENDED})`, rows / cpu, MIN_APPENDED);
}

/** Two rows of each of many accounts per batch: the worst case of small writes. */
async function appendingForMany(store: LogStore): Promise<Bar> {
  const rows = 200_000;
  const record = recordMaker(rows);
  let cpu = 0;
  for (let row = 0; row < rows; row += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => ({
      ...record(row + index),
      account: `small-${index % (BATCH / 2)}`,
      time: END - rows + row + index,
    }));
    cpu += await cpuSeconds(() => store.append(batch));
  }
  return perSecond('rows of 500 accounts appended per CPU second', rows / cpu, 0);
}

const perSecond = (what: string, figure: number, least: number): Bar => ({
  what,
  figure: figure.toFixed(0),
  met: figure >= least,
});

async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

type Question = readonly [what: string, maxMs: number, ask: () => Promise<unknown>];

function questions(store: LogStore): Question[] {
  const range = { from: END - DAYS * DAY_MS, to: END };
  const page = (what: string, query: Partial<LogQuery>, maxMs = MAX_PAGE_MS): Question => [
    `page, ${what}`,
    maxMs,
    () => store.page(BUSY, { ...range, limit: 20, ...query }),
  ];
  const deep = parseLogCursor(`${END - 20 * DAY_MS}:400:20:0`)!;
  const statistic = (what: keyof LogStore['statistics'], name: string, query: object): Question => [
    `${what}, ${name}`,
    MAX_STATISTIC_MS,
    () => store.statistics[what](BUSY, { ...range, limit: 100, ...query }),
  ];
  const names = ['categories', 'companies', 'companiesDetailed', 'countries', 'devices', 'domains', 'time'] as const;
  const twoHours = { from: END - 7_200_000 };
  const week = { from: END - 7 * DAY_MS };
  return [
    page('newest', {}),
    page('1000 rows', { limit: 1000 }),
    page('far down', { cursor: deep }),
    page('a device', { devices: ['device-1'] }),
    page('a rare device', { devices: ['rare'] }),
    page('a device that is not there', { devices: ['nobody'] }),
    page('two that never meet', { devices: ['device-2'], statuses: ['MODIFIED'] }),
    page('two that never meet, 1000 rows', { devices: ['device-2'], statuses: ['MODIFIED'], limit: 1000 }),
    page('a rare device, 1000 rows', { devices: ['rare'], limit: 1000 }),
    page('a rare company', { companies: ['company-799'] }),
    page('five filters', {
      devices: ['device-1', 'device-3'],
      countries: ['AA', 'AB'],
      companies: ['company-3', 'company-4'],
      statuses: ['REQUEST_BLOCKED'],
      categories: ['ADS'],
    }),
    page('company, country and device, 1000 rows', {
      companies: ['company-33'],
      countries: ['AI'],
      devices: ['device-1'],
      limit: 1000,
    }),
    page('category, country and device, 1000 rows', {
      categories: ['SOCIAL_MEDIA'],
      countries: ['AC'],
      devices: ['device-1'],
      limit: 1000,
    }),
    page('search, common', { search: 'name-1' }, MAX_SEARCH_MS),
    page('search, rare', { search: 'name-49999.' }, MAX_SEARCH_MS),
    page('search, nowhere', { search: 'nowhere' }, MAX_SEARCH_MS),
    page('search and a rare device', { search: 'name', devices: ['rare'] }, MAX_SEARCH_MS),
    ...names.map((name) => statistic(name, '30 days', {})),
    ...names.map((name) => statistic(name, '7 days by hour', week)),
    ...names.map((name) => statistic(name, '2 hours by minute', twoHours)),
    ...names.map((name) => statistic(name, '30 days of a device', { devices: ['device-1'] })),
    ...names.map((name) => statistic(name, '7 days of two countries', { ...week, countries: ['AB', 'AC'] })),
    ...names.map((name) => statistic(name, '2 hours of a company', { ...twoHours, companies: ['company-3'] })),
    ['requests since the first of the month', MAX_STATISTIC_MS, () => store.requestsSince(BUSY, END - 14.5 * DAY_MS)],
  ];
}

async function timed(what: string, maxMs: number, runs: number, ask: () => Promise<unknown>): Promise<Bar> {
  // CPU time of this thread only, because garbage collection in other threads does not delay the answer.
  const timedOnce = async (): Promise<number> => {
    const before = process.threadCpuUsage();
    await ask();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const first = await timedOnce();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await timedOnce());
  times.sort((one, other) => one - other);
  const p99 = times[Math.ceil(0.99 * times.length) - 1]!;
  return {
    what: `${what}, ms of CPU: first, middle, p99 (at most ${maxMs})`,
    figure: [first, times[runs >> 1]!, p99].map((ms) => ms.toFixed(1)).join(', '),
    met: p99 <= maxMs,
  };
}

const NAMES = 50_000;
const OWN_NAMES = 3000;
const categories: readonly CategoryType[] = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'];

/** Rows in chronological order, with few frequent and many rare names, as in real traffic. */
function recordMaker(rows: number): (row: number) => QueryRecord {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const names = Array.from({ length: NAMES }, (_, name) => ({
    domain: `name-${name}.host-${name % 977}.example`,
    companyId: `company-${name % 800}`,
    category: categories[(name % 800) % 7] ?? 'OTHERS',
    responseCountry: `A${String.fromCharCode(65 + (name % 25))}`,
    isBlocked: name % 6 === 0,
    rule: `||host-${name % 977}.example^`,
  }));
  return (row) => {
    const number = Math.floor(8 * random() ** 2);
    const device = row % 1_000_000 === 1 ? 'rare' : `device-${number}`;
    // A device mostly queries a few thousand names, and sometimes others.
    const rank = Math.floor((random() < 0.8 ? OWN_NAMES : NAMES) ** random()) - 1;
    const { isBlocked, rule, ...name } = names[(rank + number * OWN_NAMES) % NAMES]!;
    const isModified = device === 'device-1' && random() < 0.01;
    return {
      ...name,
      ...(isBlocked ? { source: 'FILTERS' as const, filterId: 'adguard_dns_filter', rule } : {}),
      time: Math.floor(END - DAYS * DAY_MS + (row / rows) * DAYS * DAY_MS),
      account: BUSY,
      dnsServer: device === 'device-3' ? 'second' : 'first',
      device,
      type: random() < 0.6 ? 1 : random() < 0.7 ? 28 : 65,
      rcode: random() < 0.05 ? 3 : 0,
      protocol: 'DOH',
      status: isModified ? 'MODIFIED' : isBlocked ? 'REQUEST_BLOCKED' : 'NONE',
      clientCountry: 'RU',
      asn: 25227,
      network: 'JSC Avantel',
      dnssec: random() < 0.1,
    };
  };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
