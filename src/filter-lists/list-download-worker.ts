import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { textTransfer } from '../list-sources/text-transfer.ts';
import { serveJobs } from '../platform/shared-thread.ts';
import { readListTexts } from './check-list.ts';
import type { CheckJob, ListEnvironment, ListRead } from './list-jobs.ts';

const environment = workerData as ListEnvironment;

// On Linux this is per thread: DNS answers come first.
setPriority(10);

serveJobs<CheckJob, never, ListRead>(
  parentPort!,
  (job, { signal }) => readListTexts(job, environment, signal),
  (outcome) => (outcome.kind === 'read' ? textTransfer(outcome.read.texts) : []),
);
