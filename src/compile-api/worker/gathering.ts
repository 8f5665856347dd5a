import { fairSlots, NoSlot } from '../../kit/fair-slots.ts';
import { openSharedThread } from '../../platform/shared-thread.ts';
import { threadFile } from '../../platform/thread-file.ts';
import { JobLost } from '../../platform/worker-pool.ts';
import type { Order, Refusal } from '../compile-job.ts';
import type { GatherOutcome } from '../gather-sources.ts';
import type { GatheredOrder } from '../gathered-job.ts';
import { isLocal } from '../is-local.ts';
import type { CompileMessage, CompileSurroundings, GatherJob, GatherMessage } from './compile-jobs.ts';

// The objects of the thread; texts have a limit of their own.
const MEMORY_BYTES = 512 * 2 ** 20;
const IDLE_MS = 30_000;
const UNFINISHED_PER_CLIENT = 4;
const DOWNLOADING_AT_ONCE = 128;
// Ten batches of ten items a minute are allowed.
const MIN_WAITING_PER_CLIENT = 100;
/** In texts of the largest compilation: what all clients together may hold, and one client. */
const HELD_BY_ALL = 4;
const HELD_BY_CLIENT = 2;

type Settings = {
  readonly surroundings: CompileSurroundings;
  readonly timeLimitMs: number;
  readonly requestsPerMinute: number;
  readonly ownPorts: () => readonly number[];
};

type Options = {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly onMessage: (message: CompileMessage) => void;
};

/**
 * Downloads the sources of compilations, all of them in one thread, and compiles only when the texts are there: a source that is slow
 * takes no worker from others. A compilation whose texts came with it waits for no download.
 */
export function openGathering({ surroundings, timeLimitMs, requestsPerMinute, ownPorts }: Settings) {
  const thread = openSharedThread<GatherJob, GatherMessage, GatherOutcome>({
    file: threadFile('compile-api/worker/gather-worker'),
    workerData: surroundings,
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
  const held = heldText(surroundings.maxCompilationBytes);

  async function compileWith<Outcome>(
    order: Order,
    options: Options,
    compile: (gathered: GatheredOrder | undefined) => Promise<Outcome>,
  ): Promise<Outcome | Extract<GatherOutcome, { kind: 'settled' }>['outcome'] | Refusal> {
    if (surroundings.sourceRoot === undefined && isLocal(order)) return compile(undefined);
    const release = await slots.take(options.client, options.signal).catch(whyNoSlot);
    if (typeof release !== 'function') return release;
    const texts = held.open(options.client);
    try {
      const found = await gather(order, options, texts);
      return 'status' in found ? found : found.kind === 'settled' ? found.outcome : await compile(found.gathered);
    } finally {
      texts.close();
      release();
    }
  }

  async function gather(order: Order, options: Options, texts: HeldText): Promise<GatherOutcome | Refusal> {
    const full = new AbortController();
    const signal = AbortSignal.any([options.signal, full.signal]);
    const onMessage = (message: GatherMessage): void => {
      if (message.kind !== 'text') options.onMessage(message);
      else if (!texts.add(message.bytes)) full.abort();
    };
    try {
      return await thread.run({ order, ownPorts: ownPorts() }, { signal, onMessage });
    } catch (error) {
      if (full.signal.aborted) return tooMuchText;
      throw error;
    }
  }

  return {
    compileWith,
    close: (): Promise<void> => thread.close(),
    figures: () => ({ downloading: thread.running(), waiting: slots.stats().waiting }),
  };
}

type HeldText = ReturnType<ReturnType<typeof heldText>['open']>;

/** Counts the texts of unfinished compilations. */
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
        /** False when that is too much. */
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

const tooMuchText: Refusal = {
  status: 503,
  error: 'Too much text is waiting to be compiled; try again later',
};

const tooManyUnfinished: Refusal = {
  status: 429,
  error: `Too many unfinished compilations: at most ${UNFINISHED_PER_CLIENT} per address at a time. Wait for them to finish.`,
};

function whyNoSlot(error: unknown): Refusal {
  // Gone while it waited.
  if (!(error instanceof NoSlot)) throw new JobLost('stopped');
  if (error.why === 'too many waiting') throw new JobLost('too many waiting');
  return tooManyUnfinished;
}
