import { inspect } from 'node:util';
import { textTransfer } from '../list-sources/text-transfer.ts';
import { trimMalloc } from '../platform/idle-gc.ts';
import { JobLost, type Lost } from '../platform/job-thread.ts';
import { openSharedThread } from '../platform/shared-thread.ts';
import { threadFile } from '../platform/thread-file.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';
import type { DownloadProgress } from './download-progress.ts';
import type {
  BuildJob,
  Checked,
  CheckJob,
  ListEnvironment,
  ListJob,
  ListRead,
  LoadedVersion,
  LoadJob,
} from './list-jobs.ts';
import type { Seen } from './list-state.ts';

const MIB = 2 ** 20;
const THREADS = 2;
// Heap limit of a thread; texts and tables are outside the heap and have their own limits.
const MEMORY_BYTES = 512 * MIB;
const TIME_LIMIT_MS = 300_000;
/** Time limit for all downloads of one check: the list, its includes and their retries. */
const DOWNLOAD_LIMIT_MS = 120_000;
// Short, because checks come in bursts and an idle thread takes 17 MB.
const IDLE_MS = 3000;

export type ListThreads = {
  /** Undefined during shutdown. */
  readonly check: (job: CheckJob, onProgress?: (progress: DownloadProgress) => void) => Promise<Checked | undefined>;
  /** Builds a table from the text of another node. Undefined during shutdown. */
  readonly build: (job: CheckJob, text: Uint8Array, seen: readonly Seen[] | undefined) => Promise<Checked | undefined>;
  readonly load: (job: LoadJob) => Promise<LoadedVersion | undefined>;
  readonly close: () => Promise<void>;
};

/**
 * Worker threads for slow jobs. One thread downloads for all checks; a table is built in a worker when all texts of its
 * list are there. Loading from disk has its own workers.
 */
export function listThreads({ folder, secret, downloading }: ListEnvironment): ListThreads {
  const workerData = { folder, secret, downloading } satisfies ListEnvironment;
  // Exists in the sources and in the bundle: see the entry points of the build.
  const fileOf = (name: string): URL => threadFile(`filter-lists/${name}`);
  const newPool = () =>
    createWorkerPool<ListJob, never, Checked | LoadedVersion>({
      file: fileOf('list-worker'),
      workerData,
      size: THREADS,
      maxPerClient: 1,
      memoryBytes: MEMORY_BYTES,
      timeLimitMs: TIME_LIMIT_MS,
      idleMs: IDLE_MS,
      // The C library caches freed memory: 25 MB after a list of a million rules.
      onEnded: trimMalloc,
      maxWaiting: Infinity,
    });
  const [forBuilds, forLoads] = [newPool(), newPool()];
  const downloads = openSharedThread<CheckJob, DownloadProgress, ListRead>({
    file: fileOf('list-download-worker'),
    workerData,
    memoryBytes: MEMORY_BYTES,
    timeLimitMs: DOWNLOAD_LIMIT_MS,
    idleMs: IDLE_MS,
    onEnded: trimMalloc,
  });

  type Failed = Extract<Checked, { kind: 'failed' }>;
  const failed = (why: Lost, cause: unknown): Failed => ({
    kind: 'failed',
    why: lostInWords(why),
    details: inspect(cause),
  });

  /** Undefined during shutdown. */
  async function unlessLost<Outcome>(
    work: () => Promise<Outcome>,
    lost: (why: Lost, cause: unknown) => Outcome,
  ): Promise<Outcome | undefined> {
    try {
      return await work();
    } catch (error) {
      // Also retried if no thread could be started, because there may be enough memory later.
      const { why, cause } = error instanceof JobLost ? error : new JobLost('crashed', error);
      return why === 'stopped' ? undefined : lost(why, cause);
    }
  }

  // A separate signal, because listeners of the pool on a shared signal would keep the outcome in memory.
  const optionsFor = (client: string) => ({ client, signal: new AbortController().signal, onMessage: () => {} });
  const inPool = async (pool: typeof forBuilds, job: ListJob, options: Parameters<typeof pool.run>[1]) =>
    (await pool.run(job, options)).outcome;

  async function check(job: CheckJob, onProgress?: (progress: DownloadProgress) => void): Promise<Checked | undefined> {
    const found = await unlessLost<ListRead>(
      () => downloads.run(job, { ...optionsFor(job.list.id), ...(onProgress && { onMessage: onProgress }) }),
      (why, cause) => ({ kind: 'checked', checked: { ...failed(why, cause), isSlow: why === 'out of time' } }),
    );
    return found?.kind === 'read' ? build(job, found.read, textTransfer(found.read.texts)) : found?.checked;
  }

  function build(job: CheckJob, read: BuildJob['read'], transfer: readonly ArrayBuffer[] = []) {
    // An account builds one table at a time; lists of the operator build concurrently.
    const client = job.list.namedBy === 'account' ? `account ${job.list.account}` : job.list.id;
    const options = { ...optionsFor(client), transfer };
    return unlessLost(() => inPool(forBuilds, { ...job, kind: 'build', read }, options) as Promise<Checked>, failed);
  }

  return {
    check,
    build: (job, compiled, seen) => build(job, { compiled, seen }),
    load: (job) =>
      unlessLost(
        () => inPool(forLoads, job, optionsFor(job.id)) as Promise<LoadedVersion>,
        (why) => ({ kind: 'lost', why: lostInWords(why) }),
      ),
    close: async () => void (await Promise.all([downloads.close(), forBuilds.close(), forLoads.close()])),
  };
}

function lostInWords(why: Lost): string {
  if (why === 'out of memory') return 'it needs more memory than one list may use';
  return why === 'out of time' ? 'it took longer than one list may take' : 'it could not be made into a table';
}
