import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { compiledBy } from '../../list-sources/compiler-defaults.ts';
import { notFetched } from '../../list-sources/download-error-text.ts';
import { logDroppedLines } from '../../list-sources/log-dropped-lines.ts';
import { readForService } from '../../list-sources/read-for-service.ts';
import { monotonicMs } from '../../platform/monotonic-time.ts';
import { lowerThreadPriority } from '../../platform/thread-priority.ts';
import { type JobContext, servePoolJobs } from '../../platform/worker-pool.ts';
import { runJob } from '../run-job.ts';
import { runTool } from '../tools.ts';
import type { WorkerEnvironment, WorkerJob, WorkerMessage, WorkerOutcome } from './worker-messages.ts';

const { maxSourceBytes, maxCompilationBytes } = workerData as WorkerEnvironment;

// On Linux, the nice value is per thread. A lower priority leaves the CPU to DNS answers.
lowerThreadPriority('background');

// After a list of this size, replacing the thread is cheaper than its garbage collection.
const SPENT_BYTES = 8 * 1024 * 1024;

servePoolJobs<WorkerJob, WorkerMessage, WorkerOutcome>(parentPort!, async (job, context) => {
  const outcome = await runWorkerJob(job, context);
  const transfer = listsOf(outcome);
  const isSpent = transfer.reduce((bytes, list) => bytes + list.byteLength, 0) > SPENT_BYTES;
  return { outcome, transfer, isSpent };
});

async function runWorkerJob(
  job: WorkerJob,
  { signal, send, limitStep }: JobContext<WorkerMessage>,
): Promise<WorkerOutcome> {
  if (job.kind === 'tool') return { kind: 'tool', outcome: runTool(job.tool) };
  const outcome = await runJob(job.job, {
    readLocal: readForService({
      download: () => Promise.reject(notFetched()),
      preFetchedContent: job.job.preFetchedContent,
      maxSourceBytes,
      maxCompilationBytes,
      onDroppedLines: logDroppedLines((problem) => send({ kind: 'problem', problem })),
    }),
    gathered: job.gathered,
    signal,
    compiledBy,
    timestamp: new Date(),
    now: monotonicMs,
    onEvent: (event) => send({ kind: 'event', event }),
    limitStep,
    onProblem: (problem) => send({ kind: 'problem', problem: inspect(problem) }),
  });
  return { kind: 'compile', outcome };
}

/** Buffers to transfer without copying; small ones may share their memory and cannot be transferred. */
function listsOf({ kind, outcome }: WorkerOutcome): ArrayBuffer[] {
  if (kind !== 'compile' || outcome.kind !== 'compiled') return [];
  const list = 'plain' in outcome.list ? outcome.list.plain : outcome.list.json;
  return [list, outcome.gzipped]
    .filter((bytes) => bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength)
    .map((bytes) => bytes!.buffer as ArrayBuffer);
}
