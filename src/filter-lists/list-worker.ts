import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker } from '../platform/worker-pool.ts';
import { buildList } from './check-list.ts';
import type { Checked, ListJob, ListSurroundings, LoadedVersion } from './list-jobs.ts';
import { loadList } from './load-list.ts';

const surroundings = workerData as ListSurroundings;
const port = parentPort!;

// On Linux this is the thread's own: answering comes before preparing to.
setPriority(10);

port.on('message', (message: ToWorker<ListJob>) => {
  // Nobody stops a job: who wants no more of it ends the thread.
  if (message.kind === 'job') void work(message.job);
});

// A list of so many bytes leaves more behind than a new thread costs.
const SPENT_BYTES = 8 * 1024 * 1024;

async function work(job: ListJob): Promise<void> {
  const before = process.threadCpuUsage();
  const outcome = job.kind === 'build' ? await buildList(job, surroundings) : await loadList(job, surroundings);
  const { user, system } = process.threadCpuUsage(before);
  // The table goes by reference: it is shared memory, and no byte of it is copied.
  port.postMessage({
    kind: 'done',
    outcome,
    cpuMs: (user + system) / 1000,
    isSpent: madeText(outcome) > SPENT_BYTES,
  } satisfies FromWorker<never, Checked | LoadedVersion>);
}

/** How much text went through this thread for it. */
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
