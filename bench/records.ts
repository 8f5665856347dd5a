import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { filteringStatuses } from '../src/domain/query-record.ts';
import { wireName } from '../src/kit/wire-name.ts';
import { threadFile } from '../src/platform/thread-file.ts';
import { newRingRecord, openQueryLog, openRingWriter } from '../src/query-log/index.ts';
import { type Bar, showBars } from './bars.ts';

const MAX_MICROSECONDS = 2;
const NAMES = 50_000;
const OWN_NAMES = 3000;
/** Records per burst; then the ingest thread has time to store them. */
const CHUNK = 2000;
/** After so many, all code of the log, that of the first flush included, is compiled. */
const WARM_UP = { rows: 600_000, perSecond: 100_000 };
/** Making queries without recording them is measured with fewer. */
const ALONE_SHARE = 0.2;

/** CPU time per query record, from the ring to the log and its rollups, of all threads. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { rows: { type: 'string', default: '1000000' }, 'per-second': { type: 'string', default: '40000' } },
  });
  const bars: Bar[] = [];
  for (const accounts of [1, 100])
    bars.push(await keeping(accounts, Number(values.rows), Number(values['per-second'])));
  showBars(bars);
}

async function keeping(accounts: number, rows: number, perSecond: number): Promise<Bar> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  try {
    const records = await openQueryLog({
      log: { folder },
      rings: 1,
      thread: threadFile('app/query-log-thread'),
      companies: undefined,
      geoDatabases: [],
      onProblem: (problem) => console.error(problem),
    });
    // Its threads have started when the log responds; their start is not part of a record.
    await records.stats();
    const devices = accounts * 8;
    for (let clientId = 0; clientId < devices; clientId += 1)
      records.clientIdPort.postMessage({
        kind: 'client',
        clientId,
        account: `account-${clientId % accounts}`,
        dnsServer: `server-${clientId % accounts}`,
        device: `device-${clientId}`,
        ipLog: false,
      });
    const writer = openRingWriter(records.rings[0]!);
    const next = queryMaker(devices);
    const stored = (): Promise<unknown> => records.log.requestsSince('account-0', Date.now());
    await inBursts(WARM_UP.rows, WARM_UP.perSecond, (row) => writer.put(next(row)));
    await stored();
    const aloneRows = rows * ALONE_SHARE;
    const alone = await cpuMicroseconds(() => inBursts(aloneRows, perSecond, next));
    const cpu = await cpuMicroseconds(async () => {
      await inBursts(rows, perSecond, (row) => writer.put(next(row)));
      await stored();
    });
    const { stored: allStored, dropped } = await records.stats();
    await records.stop();
    const perRow = cpu / rows - alone / aloneRows;
    console.log(`${accounts} accounts: ${allStored} stored, dropped: ${JSON.stringify(dropped)}`);
    return {
      what: `microseconds of CPU to keep a record, ${accounts} accounts (at most ${MAX_MICROSECONDS})`,
      figure: perRow.toFixed(2),
      met: perRow <= MAX_MICROSECONDS,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inBursts(rows: number, perSecond: number, work: (row: number) => void): Promise<void> {
  const start = performance.now();
  for (let row = 0; row < rows; row += CHUNK) {
    for (let index = 0; index < CHUNK; index += 1) work(row + index);
    const early = (1000 * (row + CHUNK)) / perSecond - (performance.now() - start);
    if (early > 1) await setTimeout(early);
  }
}

async function cpuMicroseconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** A few names are frequent and many rare, as in real traffic. */
export function queryMaker(devices: number) {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const names = Array.from({ length: NAMES }, (_, name) => wireName(`name-${name}.host-${name % 977}.example`)!);
  const [none, blocked] = [filteringStatuses.indexOf('NONE'), filteringStatuses.indexOf('REQUEST_BLOCKED')];
  const record = newRingRecord();
  return (row: number) => {
    const clientId = (row * 7919) % devices;
    const rank = Math.floor((random() < 0.8 ? OWN_NAMES : NAMES) ** random()) - 1;
    const name = names[(rank + clientId * OWN_NAMES) % NAMES]!;
    record.time = Date.now();
    record.clientId = clientId;
    record.type = random() < 0.6 ? 1 : 28;
    record.rcode = random() < 0.05 ? 3 : 0;
    record.protocol = 4;
    record.status = rank % 6 === 0 ? blocked : none;
    record.source = rank % 6 === 0 ? 0 : 0xff;
    record.name = name;
    record.nameLength = name.length;
    record.clientLength = 4;
    record.addressLength = rank % 6 === 0 ? 0 : 4;
    return record;
  };
}
