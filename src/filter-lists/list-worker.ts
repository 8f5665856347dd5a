import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../platform/thread-priority.ts';
import { servePoolJobs } from '../platform/worker-pool.ts';
import { buildList } from './check-list.ts';
import type { Checked, ListEnvironment, ListJob, LoadedVersion } from './list-jobs.ts';
import { loadList } from './load-list.ts';

const environment = workerData as ListEnvironment;

// On Linux, the nice value is per thread. A lower priority leaves the CPU to DNS answers.
lowerThreadPriority('background');

// After a list of this size, replacing the thread is cheaper than its garbage collection.
const SPENT_BYTES = 8 * 1024 * 1024;

// Jobs are not cancelled; the thread is terminated instead. The table is shared memory and is not copied.
servePoolJobs<ListJob, never, Checked | LoadedVersion>(parentPort!, async (job) => {
  const outcome = job.kind === 'build' ? await buildList(job, environment) : await loadList(job, environment);
  return { outcome, isSpent: madeText(outcome) > SPENT_BYTES };
});

/** Bytes of text that the job has processed. */
function madeText(outcome: Checked | LoadedVersion): number {
  switch (outcome.kind) {
    case 'new':
    case 'remade':
      return outcome.version.textBytes;
    case 'not used':
      return Infinity;
    default:
      return 0;
  }
}
