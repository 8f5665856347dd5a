import { fairSlots, NoSlot } from '../../kit/fair-slots.ts';
import { JobLost } from '../../platform/job-thread.ts';
import { openSharedThread } from '../../platform/shared-thread.ts';
import { threadFile } from '../../platform/thread-file.ts';
import type { CompileJob, ErrorResponse, GatheredSources } from '../compile-job.ts';
import type { DownloadOutcome } from '../download-sources.ts';
import { isLocal } from '../download-sources.ts';
import type { DownloadJob, DownloadMessage, WorkerEnvironment, WorkerMessage } from './worker-messages.ts';

// Heap limit of the thread; texts have their own limit.
const MEMORY_BYTES = 512 * 2 ** 20;
const IDLE_MS = 30_000;
// A batch has ten items.
const UNFINISHED_PER_CLIENT = 10;
const DOWNLOADING_AT_ONCE = 256;
// Ten batches of ten items a minute are allowed.
const MIN_WAITING_PER_CLIENT = 100;
/** In units of the largest compilation: text held by all clients together, and by one client. */
const HELD_BY_ALL = 4;
const HELD_BY_CLIENT = 2;

type Settings = {
  readonly environment: WorkerEnvironment;
  readonly timeLimitMs: number;
  readonly requestsPerMinute: number;
  readonly ownPorts: () => readonly number[];
  /** Called when a download begins; returns a function that is called when its compilation has ended. */
  readonly expectJob: () => () => void;
};

type Options = {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly onMessage: (message: WorkerMessage) => void;
};

/**
 * Downloads the sources of all compilations in one thread and compiles when the texts are available, so that slow sources do not occupy
 * workers. Jobs without downloads skip this.
 */
export function openSourceDownloads({ environment, timeLimitMs, requestsPerMinute, ownPorts, expectJob }: Settings) {
  const thread = openSharedThread<DownloadJob, DownloadMessage, DownloadOutcome>({
    file: threadFile('compile-api/worker/download-worker'),
    workerData: environment,
    memoryBytes: MEMORY_BYTES,
    timeLimitMs,
    idleMs: IDLE_MS,
  });
  const maxWaitingPerKey = Math.max(MIN_WAITING_PER_CLIENT, requestsPerMinute);
  const slots = fairSlots({
    total: DOWNLOADING_AT_ONCE,
    perKey: UNFINISHED_PER_CLIENT,
    maxWaiting: 4 * maxWaitingPerKey,
    maxWaitingPerKey,
  });
  const held = heldText(environment.maxCompilationBytes);

  async function withSources<Outcome>(
    job: CompileJob,
    options: Options,
    compile: (gathered: GatheredSources | undefined) => Promise<Outcome>,
  ): Promise<Outcome | Extract<DownloadOutcome, { kind: 'settled' }>['outcome'] | ErrorResponse> {
    if (environment.sourceRoot === undefined && isLocal(job)) return compile(undefined);
    const release = await slots.take(options.client, options.signal).catch(whyNoSlot);
    if (typeof release !== 'function') return release;
    const texts = held.open(options.client);
    // Starts a worker thread during the download, so that compilations do not wait for the start.
    const arrived = expectJob();
    try {
      const found = await download(job, options, texts);
      return 'status' in found ? found : found.kind === 'settled' ? found.outcome : await compile(found.gathered);
    } finally {
      arrived();
      texts.close();
      release();
    }
  }

  async function download(
    job: CompileJob,
    options: Options,
    texts: HeldText,
  ): Promise<DownloadOutcome | ErrorResponse> {
    const full = new AbortController();
    const signal = AbortSignal.any([options.signal, full.signal]);
    const onMessage = (message: DownloadMessage): void => {
      if (message.kind !== 'text') options.onMessage(message);
      else if (!texts.add(message.bytes)) full.abort();
    };
    try {
      return await thread.run({ job, ownPorts: ownPorts() }, { signal, onMessage });
    } catch (error) {
      if (full.signal.aborted) return tooMuchText;
      throw error;
    }
  }

  return {
    withSources,
    close: (): Promise<void> => thread.close(),
    stats: () => ({ downloading: thread.running(), waiting: slots.stats().waiting }),
  };
}

type HeldText = ReturnType<ReturnType<typeof heldText>['open']>;

/** Accounts the texts of unfinished compilations. */
function heldText(maxCompilationBytes: number) {
  const byClient = new Map<string, number>();
  let total = 0;
  const change = (client: string, bytes: number): void => {
    total += bytes;
    const left = (byClient.get(client) ?? 0) + bytes;
    if (left === 0) byClient.delete(client);
    else byClient.set(client, left);
  };
  return {
    open(client: string) {
      let bytes = 0;
      return {
        /** Returns false above the limit. */
        add(more: number): boolean {
          bytes += more;
          change(client, more);
          return (
            total <= HELD_BY_ALL * maxCompilationBytes &&
            (byClient.get(client) ?? 0) <= HELD_BY_CLIENT * maxCompilationBytes
          );
        },
        close(): void {
          change(client, -bytes);
          bytes = 0;
        },
      };
    },
  };
}

const tooMuchText: ErrorResponse = {
  status: 503,
  error: 'Too much text is waiting to be compiled; try again later',
};

const tooManyUnfinished: ErrorResponse = {
  status: 429,
  error: `Too many unfinished compilations: at most ${UNFINISHED_PER_CLIENT} per address at a time. Wait for them to finish.`,
};

function whyNoSlot(error: unknown): ErrorResponse {
  // Aborted while waiting.
  if (!(error instanceof NoSlot)) throw new JobLost('stopped');
  if (error.why === 'too many waiting') throw new JobLost('too many waiting');
  return tooManyUnfinished;
}
