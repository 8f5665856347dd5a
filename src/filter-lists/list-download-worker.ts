import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { textTransfer } from '../list-sources/text-transfer.ts';
import { serveJobs } from '../platform/shared-thread.ts';
import { readListTexts } from './check-list.ts';
import type { CheckJob, ListRead, ListSurroundings } from './list-jobs.ts';

const surroundings = workerData as ListSurroundings;

// On Linux this is the thread's own: DNS answers come first.
setPriority(10);

serveJobs<CheckJob, never, ListRead>(
  parentPort!,
  (job, { signal }) => readListTexts(job, surroundings, signal),
  (outcome) => (outcome.kind === 'read' ? textTransfer(outcome.read.texts) : []),
);
