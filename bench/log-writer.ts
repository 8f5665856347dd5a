import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openQuietAccounts } from '../test/support/query-log/quiet-accounts.ts';
import type { WriterSetup } from './log-writers.ts';

/** A writer of quiet accounts, like the ingest thread of a node. Starts with a message, and posts the number of rows at the end. */
const { url, seconds, ...quiet } = workerData as WriterSetup;
const log = await openQuietAccounts(url, quiet);
await log.append();
parentPort!.postMessage('ready');
await once(parentPort!, 'message');
const end = performance.now() + seconds * 1000;
let appended = 0;
for (; performance.now() < end; appended += quiet.rows) await log.append();
await log.close();
parentPort!.postMessage(appended);
parentPort!.close();
