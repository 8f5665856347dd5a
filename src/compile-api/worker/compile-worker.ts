import { setPriority } from 'node:os';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { compiledBy } from '../../list-sources/compiler-defaults.ts';
import { notFetched } from '../../list-sources/download-error-text.ts';
import { tellDroppedLines } from '../../list-sources/log-dropped-lines.ts';
import { readForService } from '../../list-sources/read-for-service.ts';
import { monotonicMs } from '../../platform/monotonic-time.ts';
import type { FromWorker, ToWorker } from '../../platform/worker-pool.ts';
import { runOrder } from '../run-job.ts';
import { runTool } from '../run-tool.ts';
import type { CompileJob, CompileMessage, CompileOutcome, CompileSurroundings } from './compile-jobs.ts';

const { maxSourceBytes, maxCompilationBytes } = workerData as CompileSurroundings;
const port = parentPort!;
const say = (message: FromWorker<CompileMessage, CompileOutcome>, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

// On Linux this is the thread's own: answering comes before compiling.
setPriority(10);

let stop = new AbortController();

port.on('message', (message: ToWorker<CompileJob>) => {
  if (message.kind === 'stop') stop.abort();
  else void work(message.job);
});

// A list of so many bytes leaves more behind than a new thread costs.
const SPENT_BYTES = 8 * 1024 * 1024;

async function work(job: CompileJob): Promise<void> {
  stop = new AbortController();
  const before = process.threadCpuUsage();
  const outcome = await carryOut(job, stop.signal);
  const { user, system } = process.threadCpuUsage(before);
  const lists = listsOf(outcome);
  const isSpent = lists.reduce((bytes, list) => bytes + list.byteLength, 0) > SPENT_BYTES;
  say({ kind: 'done', outcome, cpuMs: (user + system) / 1000, isSpent }, lists);
}

async function carryOut(job: CompileJob, signal: AbortSignal): Promise<CompileOutcome> {
  if (job.kind === 'tool') return { kind: 'tool', outcome: runTool(job.tool) };
  const outcome = await runOrder(job.order, {
    readLocal: readForService({
      download: () => Promise.reject(notFetched()),
      preFetchedContent: job.order.preFetchedContent,
      maxSourceBytes,
      maxCompilationBytes,
      onDroppedLines: tellDroppedLines((problem) => say({ kind: 'said', message: { kind: 'problem', problem } })),
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
  return { kind: 'order', outcome };
}

/** Buffers that go to the main thread without being copied; a small one may share its memory with others and cannot. */
function listsOf({ kind, outcome }: CompileOutcome): ArrayBuffer[] {
  if (kind !== 'order' || outcome.kind !== 'compiled') return [];
  const list = 'plain' in outcome.list ? outcome.list.plain : outcome.list.json;
  return [list, outcome.gzipped]
    .filter((bytes) => bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength)
    .map((bytes) => bytes!.buffer as ArrayBuffer);
}
