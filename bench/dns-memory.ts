import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { asQueries, perf } from './dns-asking.ts';
import { startWeir } from './dns-weir.ts';
import { memoryOf } from './servers.ts';

const MOST_BYTES = 350e6;
const RULES = 1_000_000;
const CACHED = 100_000;
/** More than needed, because hash collisions in the index evict some. */
const NEARLY = 0.98;
const MOST_ROUNDS = 40;
const IDLE_MS = 30_000;

/** Promise P11. Memory with a million rules, a hundred thousand cached answers, and a full queue of records that the log does not accept. */
export async function measureMemory(bench: Bench): Promise<readonly Bar[]> {
  const folder = bench.home('memory');
  const blocked = Array.from({ length: RULES }, (_, i) => `ad${i.toString(36)}.tracker${i % 9973}.example`);
  const weir = await startWeir({ ...bench, folder, blocked, udpThreads: 2, processors: '0,1' });
  const cached = Array.from({ length: CACHED }, (_, i) => `host${i}.cached-names.net`);
  const asking = { pid: weir.pid, port: weir.ports.dns };
  // A few at a time, because the upstream drops queries under full load.
  const file = asQueries(join(folder, 'cached'), cached);
  for (let round = 0; round < MOST_ROUNDS && (await weir.figure('weir_dns_cache_entries')) < CACHED * NEARLY; round++)
    await perf({ ...asking, file, outstanding: 300 });
  const mixed = asQueries(
    join(folder, 'mixed'),
    cached.map((name, i) => (i % 2 ? name : blocked[(i * 7919) % RULES]!)),
  );
  const entries = await weir.figure('weir_dns_cache_entries');
  const before = memoryOf(weir.pid).nowBytes;
  await weir.keepLog(true);
  await perf({ ...asking, file: mixed, seconds: 1, settled: () => weir.settled() });
  const log = join(weir.data, 'log');
  const locked = new DatabaseSync(join(log, readdirSync(log).find((name) => /^log-.*\.db$/.test(name))!));
  locked.exec('BEGIN IMMEDIATE');
  // Rings may be full earlier; the queue is full once records are dropped.
  const droppedOf = (reason: string): Promise<number> => weir.figure('weir_dns_records_dropped_total', reason);
  let busiest = 0;
  for (let round = 0; round < MOST_ROUNDS && (await droppedOf('spool_full')) === 0; round++) {
    await perf({ ...asking, file: mixed });
    busiest = Math.max(busiest, memoryOf(weir.pid).nowBytes);
  }
  // Idle time for a garbage collection; the queue stays full.
  await sleep(IDLE_MS);
  const waiting = await weir.figure('weir_dns_records_waiting');
  const waitingBytes = await weir.figure('weir_dns_records_waiting_bytes');
  const isFull = (await droppedOf('spool_full')) > 0;
  const { nowBytes, peakBytes } = memoryOf(weir.pid);
  console.log(
    `memory: ${mega(before)} with ${entries} cached answers; ${mega(busiest)} while they ask, after idle time ${mega(nowBytes)}, with ${waiting} records (${mega(waitingBytes)}) in a queue that is ${isFull ? 'full' : 'not full'}; most ever ${mega(peakBytes)}`,
  );
  locked.exec('ROLLBACK');
  locked.close();
  await weir.end();
  return [
    { what: `memory, at most ${mega(MOST_BYTES)}`, figure: mega(nowBytes), met: nowBytes <= MOST_BYTES && isFull },
  ];
}

const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
