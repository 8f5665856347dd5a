import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { serveJobs } from '../shared-thread.ts';
import { textTransfer } from '../text-transfer.ts';
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
