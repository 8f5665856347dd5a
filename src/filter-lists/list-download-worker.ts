import { parentPort, workerData } from 'node:worker_threads';
import { textTransfer } from '../list-sources/text-transfer.ts';
import { lowerThreadPriority } from '../platform/thread-priority.ts';
import { createRpc, moving } from '../platform/worker-rpc.ts';
import { readListTexts } from './check-list.ts';
import type { DownloadProgress } from './download-progress.ts';
import type { CheckJob, ListEnvironment, ListRead } from './list-jobs.ts';

const environment = workerData as ListEnvironment;

// On Linux, the nice value is per thread. A lower priority leaves the CPU to DNS answers.
lowerThreadPriority('background');

createRpc<never, CheckJob, DownloadProgress>(parentPort!, async (job, answering) => {
  const outcome: ListRead = await readListTexts(job, environment, answering);
  return outcome.kind === 'read' ? moving(outcome, textTransfer(outcome.read.texts)) : outcome;
});
