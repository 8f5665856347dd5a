import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LogQuery } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { threadFile } from '../../platform/thread-file.ts';
import { threadLimits } from '../../platform/thread-limits.ts';
import { logOfThread } from '../backends/log-in-thread.ts';
import type { LogStore } from '../log-store.ts';
import { createRecordCounts } from './record-counts.ts';
import { createRingMemory } from './record-ring.ts';
import type { RecordFigures } from './record-stats.ts';
import type { LogPlace, RecordsSetup, Seen } from './records-setup.ts';

const RING_BYTES = 4 * 2 ** 20;
/** What a batch leaves behind is little, but this thread reads pages of the log too, and a long one leaves ten megabytes. */
const YOUNG_MB = 48;
/** Time for whatever was wrong to pass; meanwhile rings fill. */
const RESTART_MS = 500;

// The same from its source and from a bundle: see the entries of the build.
const file = threadFile('query-log/ingest/records-thread');

type Options = {
  readonly log: LogPlace;
  /** One for each thread that answers. */
  readonly rings: number;
  readonly ringBytes?: number;
  /** The operator's file of companies. */
  readonly companies: string | undefined;
  readonly geoDatabases: readonly string[];
  readonly onProblem: (problem: unknown) => void;
};

/** `missed`: how many there were beyond those that are told. */
type Watcher = (records: readonly QueryRecord[], missed: number) => void;

export type Records = {
  readonly log: LogStore;
  /** A page of it, as the management interface sends it. */
  readonly pageText: (account: string, query: LogQuery) => Promise<string>;
  readonly rings: readonly SharedArrayBuffer[];
  /** For the dns thread, which says on it who and what the numbers in rings are. */
  readonly naming: MessagePort;
  /** The thread was lost and another one begins: who says what numbers mean says all of it again, on this port. */
  readonly onRestart: (listener: (naming: MessagePort) => void) => void;
  readonly figures: () => Promise<RecordFigures>;
  /** Tells of an account's queries as they are kept, until the function it gives back is called. */
  readonly subscribe: (account: string, watcher: Watcher) => () => void;
  /** Stores everything first. */
  readonly stop: () => Promise<void>;
};

type StartedRecords = { readonly records: Records; readonly ready: Promise<void> };

/** The log, and the thread that takes answered queries out of rings and keeps them in it. */
export async function openRecords(options: Options): Promise<Records> {
  const { records, ready } = startRecords(options);
  await ready;
  return records;
}

/** As `openRecords`, without waiting: records can be written to the rings at once. `ready` rejects where the thread cannot start. */
export function startRecords({ ringBytes = RING_BYTES, onProblem, ...options }: Options): StartedRecords {
  const rings = Array.from({ length: options.rings }, () => createRingMemory(ringBytes));
  const { log: place, companies, geoDatabases } = options;
  const shared = { log: place, rings, counts: createRecordCounts(rings.length), companies, geoDatabases };
  const watchers = new Map<string, Set<Watcher>>();
  let naming: MessagePort | undefined;
  let onRestart: (naming: MessagePort) => void = () => {};
  let isOpen = false;

  const { log, ask } = logOfThread(() => {
    const { port1, port2 } = new MessageChannel();
    const setup: RecordsSetup = { ...shared, naming: port2, isSecond: naming !== undefined };
    const resourceLimits = threadLimits(YOUNG_MB);
    const thread = new Worker(file, { workerData: setup, transferList: [port2], resourceLimits });
    // Another than the first does not know whose the records in rings are until it is told.
    if (naming) onRestart(port1);
    naming = port1;
    thread.on('message', (message: Seen) => {
      if (message.kind !== 'seen') return;
      for (const watcher of watchers.get(message.account) ?? []) watcher(message.records, message.missed);
    });
    thread.on('error', (error) => {
      onProblem(new Error('the thread that keeps records is lost', { cause: error }));
      if (isOpen) setTimeout(startAgain, RESTART_MS).unref();
    });
    return thread;
  }, onProblem);
  // Starts the thread, also where nothing reads the log. Invalid options make it end with an error.
  const ready = ask('figures', []).then(() => {
    isOpen = true;
  });

  const watch = (account: string, isWatched: boolean): void => {
    if (isOpen) ask('watch', [account, isWatched]).catch(onProblem);
  };
  const startAgain = (): void => {
    if (isOpen) ask('figures', []).catch(onProblem);
    for (const account of watchers.keys()) watch(account, true);
  };
  const records: Records = {
    log,
    pageText: (account, query) => ask('pageText', [account, query]) as Promise<string>,
    rings,
    naming: naming!,
    onRestart: (listener) => {
      onRestart = listener;
    },
    figures: () => ask('figures', []) as Promise<RecordFigures>,
    subscribe(account, watcher) {
      const known = watchers.get(account) ?? new Set();
      watchers.set(account, known.add(watcher));
      if (known.size === 1) watch(account, true);
      return () => {
        known.delete(watcher);
        if (known.size > 0 || !watchers.delete(account)) return;
        watch(account, false);
      };
    },
    async stop() {
      isOpen = false;
      await log.close();
      naming?.close();
    },
  };
  return { records, ready };
}
