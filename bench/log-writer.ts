import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeBatches, shareBatches } from '../src/query-log/log-engine.ts';
import { openEngine } from '../src/query-log/open-log.ts';
import { someRecords } from '../test/support/query-log/tables.ts';
import type { WriterSetup } from './log-writers.ts';

/*
 * A writer of quiet accounts, as the ingest thread of a node: says that it is ready, appends for some seconds once it is told to, and
 * reports the number of rows.
 */
const { url, accounts, rows, seconds } = workerData as WriterSetup;
const now = Date.now();
const records = someRecords(rows, (row) => ({ account: `account-${row % accounts}`, time: now - (row % 1000) }));
const batches = shareBatches(encodeBatches(records));
const log = await openEngine(
  { postgres: url },
  // Moves to the segments of accounts happen in the background; they would use the second processor of a small machine.
  { now: Date.now, onProblem: (problem) => console.error(problem), maxSharedRows: Number.MAX_SAFE_INTEGER },
);
await log.appendBatches(batches);
parentPort!.postMessage('ready');
await once(parentPort!, 'message');
const end = performance.now() + seconds * 1000;
let appended = 0;
for (; performance.now() < end; appended += rows) await log.appendBatches(batches);
await log.close();
parentPort!.postMessage(appended);
parentPort!.close();
