import { setPriority } from 'node:os';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { compiledBy } from '../../list-sources/compiler-defaults.ts';
import { notFetched } from '../../list-sources/download-error-text.ts';
import { logDroppedLines } from '../../list-sources/log-dropped-lines.ts';
import { readForService } from '../../list-sources/read-for-service.ts';
import { monotonicMs } from '../../platform/monotonic-time.ts';
import type { FromWorker, ToWorker } from '../../platform/worker-pool.ts';
import { runJob } from '../run-job.ts';
import { runTool } from '../tools.ts';
import type { WorkerEnvironment, WorkerJob, WorkerMessage, WorkerOutcome } from './worker-messages.ts';

const { maxSourceBytes, maxCompilationBytes } = workerData as WorkerEnvironment;
const port = parentPort!;
const say = (message: FromWorker<WorkerMessage, WorkerOutcome>, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

// On Linux this is per thread: DNS answers come first.
setPriority(10);

let stop = new AbortController();

port.on('message', (message: ToWorker<WorkerJob>) => {
  if (message.kind === 'stop') stop.abort();
  else void work(message.job);
});

// After a list of this size, replacing the thread is cheaper than its garbage.
const SPENT_BYTES = 8 * 1024 * 1024;

async function work(job: WorkerJob): Promise<void> {
  stop = new AbortController();
  const before = process.threadCpuUsage();
  const outcome = await carryOut(job, stop.signal);
  const { user, system } = process.threadCpuUsage(before);
  const lists = listsOf(outcome);
  const isSpent = lists.reduce((bytes, list) => bytes + list.byteLength, 0) > SPENT_BYTES;
  say({ kind: 'done', outcome, cpuMs: (user + system) / 1000, isSpent }, lists);
}

async function carryOut(job: WorkerJob, signal: AbortSignal): Promise<WorkerOutcome> {
  if (job.kind === 'tool') return { kind: 'tool', outcome: runTool(job.tool) };
  const outcome = await runJob(job.job, {
    readLocal: readForService({
      download: () => Promise.reject(notFetched()),
      preFetchedContent: job.job.preFetchedContent,
      maxSourceBytes,
      maxCompilationBytes,
      onDroppedLines: logDroppedLines((problem) => say({ kind: 'said', message: { kind: 'problem', problem } })),
    }),
    gathered: job.gathered,
    signal,
    compiledBy,
    timestamp: new Date(),
    now: monotonicMs,
    onEvent: (event) => say({ kind: 'said', message: { kind: 'event', event } }),
    onAllowance: (ms) => say({ kind: 'allowance', ms }),
    onProblem: (problem) => say({ kind: 'said', message: { kind: 'problem', problem: inspect(problem) } }),
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
