import { giveBackFreed } from '../tidy-memory.ts';
import { createWorkerPool, JobLost, type Lost } from '../worker-pool.ts';
import type { Checked, CheckJob, ListJob, ListSurroundings, LoadedVersion, LoadJob } from './list-jobs.ts';

const MIB = 2 ** 20;
export const DOWNLOADS_AT_ONCE = 2;
// The objects of a thread; texts and tables lie beside them, and have limits of their own.
const MEMORY_BYTES = 512 * MIB;
const TIME_LIMIT_MS = 300_000;
// Lists are looked at together and then not for long, and a thread that waits takes 17 MB.
const IDLE_MS = 3000;

export type ListThreads = {
  /** Undefined when all is being stopped. */
  readonly check: (job: CheckJob) => Promise<Checked | undefined>;
  readonly load: (job: LoadJob) => Promise<LoadedVersion | undefined>;
  readonly close: () => Promise<void>;
};

/** Threads for whatever takes time. Those that wait for the network do not keep those waiting that read from disk. */
export function listThreads({ folder, secret, downloading }: ListSurroundings): ListThreads {
  const newPool = () =>
    createWorkerPool<ListJob, never, Checked | LoadedVersion>({
      // The same from its source and from a bundle: see the entries of the build.
      file: new URL(`../lists/list-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
      workerData: { folder, secret, downloading } satisfies ListSurroundings,
      size: DOWNLOADS_AT_ONCE,
      memoryBytes: MEMORY_BYTES,
      timeLimitMs: TIME_LIMIT_MS,
      idleMs: IDLE_MS,
      // The C library keeps what it has freed, for whoever comes next: with a list of a million rules that is 25 MB.
      onEnded: giveBackFreed,
      maxWaiting: Infinity,
    });
  const [forChecks, forLoads] = [newPool(), newPool()];

  async function run<Outcome extends Checked | LoadedVersion>(
    pool: typeof forChecks,
    job: ListJob,
    lost: (why: Lost, cause: unknown) => Outcome,
  ): Promise<Outcome | undefined> {
    try {
      // A signal of its own: the pool holds on to whatever listens to it, and so to the outcome.
      const options = { client: 'lists', signal: new AbortController().signal, onMessage: () => {} };
      return (await pool.run(job, options)).outcome as Outcome;
    } catch (error) {
      // Also when no thread could be started: there may be room for one later.
      const { why, cause } = error instanceof JobLost ? error : new JobLost('crashed', error);
      return why === 'stopped' ? undefined : lost(why, cause);
    }
  }

  return {
    check: (job) =>
      run<Checked>(forChecks, job, (why, cause) => ({ kind: 'failed', why: lostInWords(why), details: String(cause) })),
    load: (job) => run<LoadedVersion>(forLoads, job, (why) => ({ kind: 'lost', why: lostInWords(why) })),
    close: async () => void (await Promise.all([forChecks.close(), forLoads.close()])),
  };
}

function lostInWords(why: Lost): string {
  if (why === 'out of memory') return 'it needs more memory than one list may use';
  return why === 'out of time' ? 'it took longer than one list may take' : 'it could not be made into a table';
}
