import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker } from '../platform/worker-pool.ts';
import { buildList } from './check-list.ts';
import type { Checked, ListEnvironment, ListJob, LoadedVersion } from './list-jobs.ts';
import { loadList } from './load-list.ts';

const environment = workerData as ListEnvironment;
const port = parentPort!;

// On Linux this is per thread: DNS answers come first.
setPriority(10);

port.on('message', (message: ToWorker<ListJob>) => {
  // Jobs are not cancelled; the thread is terminated instead.
  if (message.kind === 'job') void work(message.job);
});

// After a list of this size, replacing the thread is cheaper than its garbage.
const SPENT_BYTES = 8 * 1024 * 1024;

async function work(job: ListJob): Promise<void> {
  const before = process.threadCpuUsage();
  const outcome = job.kind === 'build' ? await buildList(job, environment) : await loadList(job, environment);
  const { user, system } = process.threadCpuUsage(before);
  // The table is shared memory and is not copied.
  port.postMessage({
    kind: 'done',
    outcome,
    cpuMs: (user + system) / 1000,
    isSpent: madeText(outcome) > SPENT_BYTES,
  } satisfies FromWorker<never, Checked | LoadedVersion>);
}

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
