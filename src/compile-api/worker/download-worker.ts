import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { logDroppedLines } from '../../list-sources/log-dropped-lines.ts';
import { readForService } from '../../list-sources/read-for-service.ts';
import { once, serviceDownload } from '../../list-sources/service-download.ts';
import { textTransfer } from '../../list-sources/text-transfer.ts';
import { copiesOnDisk } from '../../net/copies-on-disk.ts';
import { type Download, downloader } from '../../net/download.ts';
import { monotonicMs } from '../../platform/monotonic-time.ts';
import { lowerThreadPriority } from '../../platform/thread-priority.ts';
import { createRpc, moving } from '../../platform/worker-rpc.ts';
import type { Validators } from '../compile-job.ts';
import { type DownloadOutcome, downloadForJob, type Reading } from '../download-sources.ts';
import type { DownloadJob, DownloadMessage, WorkerEnvironment } from './worker-messages.ts';

const environment = workerData as WorkerEnvironment;

// On Linux, the nice value is per thread. A lower priority leaves the CPU to DNS answers.
lowerThreadPriority('background');

createRpc<never, DownloadJob, DownloadMessage>(parentPort!, async (job, { signal, emit }) => {
  const onProblem = (problem: string): void => emit({ kind: 'problem', problem });
  const outcome: DownloadOutcome = await downloadForJob(job.job, {
    ...readingFor(job, signal, { onProblem, onText: (bytes) => emit({ kind: 'text', bytes }) }),
    signal,
    now: monotonicMs,
    onEvent: (event) => emit({ kind: 'event', event }),
    onProblem: (problem) => onProblem(inspect(problem)),
  });
  return outcome.kind === 'gathered' ? moving(outcome, textTransfer(outcome.gathered.texts)) : outcome;
});

type Listeners = { readonly onProblem: (problem: string) => void; readonly onText: (bytes: number) => void };

function readingFor({ job, ownPorts }: DownloadJob, signal: AbortSignal, { onProblem, onText }: Listeners): Reading {
  const { sourceRoot, maxSourceBytes, maxCompilationBytes } = environment;
  const versions = new Map<string, string | undefined>();
  // A download made for revalidation is reused if the source has changed.
  const download = once(downloadFor(ownPorts, job.onSourceError === 'stale', onProblem));
  const noting: Download = async (url, options) => {
    const downloaded = await download(url, options);
    versions.set(url, downloaded.validator);
    return downloaded;
  };
  const read = readForService({
    download: noting,
    preFetchedContent: job.preFetchedContent,
    sourceRoot,
    maxSourceBytes,
    maxCompilationBytes,
    onDroppedLines: logDroppedLines(onProblem),
  });
  return {
    read: async (request, until) => {
      const content = await read(request, until);
      onText(content.bytes.length);
      return content;
    },
    // Files have no validator: only lists made of downloads can be revalidated.
    validators: () => (sourceRoot === undefined ? validatorsOf(versions) : undefined),
    isUnchanged: async (validators) => {
      const isAsBefore = async ([url, validator]: Validators[number]): Promise<boolean> => {
        const found = await download(url, { signal });
        return found.freshness === 'not modified' && found.validator === validator;
      };
      // If a source is unavailable, the compilation reports the better error.
      const found = await Promise.all(validators.map(isAsBefore)).catch(() => [false]);
      return found.every(Boolean);
    },
  };
}

function validatorsOf(versions: ReadonlyMap<string, string | undefined>): Validators | undefined {
  const validators: [string, string][] = [];
  for (const [url, validator] of versions) {
    if (validator === undefined) return undefined;
    validators.push([url, validator]);
  }
  return validators;
}

function downloadFor(
  ownPorts: readonly number[],
  useStaleCopies: boolean,
  onProblem: (problem: string) => void,
): Download {
  const { copiesFolder, maxCopiesBytes } = environment;
  return downloader({
    ...serviceDownload(environment, ownPorts),
    useStaleCopies,
    copies: copiesOnDisk(copiesFolder, { maxBytes: maxCopiesBytes }),
    onCopyProblem: (problem) => onProblem(inspect(problem)),
  });
}
