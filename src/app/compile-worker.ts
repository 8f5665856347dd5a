import { setPriority } from 'node:os';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { Validators } from '../compile-api/order.ts';
import { type Reading, runOrder } from '../compile-api/run-order.ts';
import { runTool } from '../compile-api/run-tool.ts';
import { copiesOnDisk } from '../net/copies-on-disk.ts';
import { type Download, downloader } from '../net/download.ts';
import type { CompileJob, CompileMessage, CompileOutcome, CompileSurroundings } from './compile-jobs.ts';
import { compiledBy } from './compiler-defaults.ts';
import { readForService } from './read-for-service.ts';
import { once, serviceDownload } from './service-download.ts';
import type { FromWorker, ToWorker } from './worker-pool.ts';

const surroundings = workerData as CompileSurroundings;
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
    ...readingFor(job, signal, (problem) => say({ kind: 'said', message: { kind: 'problem', problem } })),
    signal,
    compiledBy,
    timestamp: new Date(),
    now: () => performance.now(),
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

function readingFor(
  { order, ownPorts }: Extract<CompileJob, { kind: 'order' }>,
  signal: AbortSignal,
  onProblem: (problem: string) => void,
): Reading {
  const { sourceRoot, maxSourceBytes, maxCompilationBytes } = surroundings;
  const versions = new Map<string, string | undefined>();
  // What was downloaded to see whether it has changed is not downloaded again when it has.
  const download = once(downloadFor(ownPorts, onProblem));
  const noting: Download = async (url, options) => {
    const downloaded = await download(url, options);
    versions.set(url, downloaded.validator);
    return downloaded;
  };
  return {
    read: readForService({
      download: noting,
      preFetchedContent: order.preFetchedContent,
      sourceRoot,
      maxSourceBytes,
      maxCompilationBytes,
      onDroppedLines: (source, count) => onProblem(`${count} lines of ${withoutQuery(source)} were too long`),
    }),
    // A file may change without a word, so that only lists made of nothing but downloads can be called unchanged.
    validators: () => (sourceRoot === undefined ? known(versions) : undefined),
    isUnchanged: async (validators) => {
      const isAsBefore = async ([url, validator]: Validators[number]): Promise<boolean> => {
        const found = await download(url, { signal });
        return found.freshness === 'not modified' && found.validator === validator;
      };
      // A source that cannot be had now fails the compilation itself, which says so better.
      const found = await Promise.all(validators.map(isAsBefore)).catch(() => [false]);
      return found.every(Boolean);
    },
  };
}

/** What stands behind the question mark may be a secret. */
const withoutQuery = (source: string): string => source.split(/[?#\r\n]/, 1)[0]!.slice(0, 200);

function known(versions: ReadonlyMap<string, string | undefined>): Validators | undefined {
  const validators: [string, string][] = [];
  for (const [url, validator] of versions) {
    if (validator === undefined) return undefined;
    validators.push([url, validator]);
  }
  // A list without downloads cannot change: it is not asked for anything, and so always unchanged.
  return validators;
}

function downloadFor(ownPorts: readonly number[], onProblem: (problem: string) => void): Download {
  const { copiesFolder, maxCopiesBytes } = surroundings;
  return downloader({
    ...serviceDownload(surroundings, ownPorts),
    copies: copiesOnDisk(copiesFolder, { maxBytes: maxCopiesBytes }),
    onCopyProblem: (problem) => onProblem(inspect(problem)),
  });
}
