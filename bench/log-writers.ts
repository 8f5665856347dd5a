import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { newPostgresDatabase } from '../test/support/store/postgres.ts';
import { startTcpProxy } from '../test/support/store/tcp-proxy.ts';
import type { Bar } from './bars.ts';

const MIN_RATIO = 1.7;
const SECONDS = 3;
const RUNS = 5;
/** Of the network, in each direction. */
const DELAY_MS = 2;
/** Rows of an append: those of two seconds. */
const QUIET = { accounts: 2000, rows: 1000 };

export type WriterSetup = typeof QUIET & { readonly url: string; readonly seconds: number };

/**
 * Rows per second of two nodes that write to one log in PostgreSQL, compared with one. The database is some milliseconds away: a lock that is
 * held over a round trip makes writers wait for each other, and two processors are enough for both.
 */
export async function measureWriters(): Promise<readonly Bar[]> {
  const database = await newPostgresDatabase();
  if (database === undefined) return [];
  const ends: (() => void)[] = [];
  const proxy = await startTcpProxy({ after: (end) => void ends.push(end as () => void) }, database);
  proxy.delay(DELAY_MS);
  try {
    return [await compare(proxy.url)];
  } finally {
    for (const end of ends) end();
  }
}

async function compare(url: string): Promise<Bar> {
  await rowsPerSecond(url, 1);
  const ratios: number[] = [];
  let best = { one: 0, two: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const [one, two] = [await rowsPerSecond(url, 1), await rowsPerSecond(url, 2)];
    ratios.push(two / one);
    best = { one: Math.max(best.one, one), two: Math.max(best.two, two) };
  }
  const ratio = ratios.toSorted((a, b) => a - b)[RUNS >> 1]!;
  return {
    what: `rows per second of two writers, at least ${MIN_RATIO} x those of one`,
    figure: `${ratio.toFixed(2)} x at the median, at most ${best.one.toFixed(0)} and ${best.two.toFixed(0)}`,
    met: ratio >= MIN_RATIO,
  };
}

async function rowsPerSecond(url: string, count: number): Promise<number> {
  const workerData: WriterSetup = { ...QUIET, url, seconds: SECONDS };
  const writers = Array.from(
    { length: count },
    () => new Worker(new URL('log-writer.ts', import.meta.url), { workerData }),
  );
  await Promise.all(writers.map((writer) => once(writer, 'message')));
  const appended = writers.map(async (writer) => Number((await once(writer, 'message'))[0]));
  for (const writer of writers) writer.postMessage('start');
  return (await Promise.all(appended)).reduce((sum, rows) => sum + rows) / SECONDS;
}
