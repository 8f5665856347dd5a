import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { threadFile } from '../platform/thread-file.ts';
import { threadLimits } from '../platform/thread-limits.ts';
import { logInWorker } from './backends/log-in-thread.ts';
import type { IngestSetup, LogLocation, TailMessage } from './ingest/ingest-setup.ts';
import { createRecordCounts } from './ingest/record-counts.ts';
import { createRingMemory } from './ingest/record-ring.ts';
import type { RecordStats } from './ingest/record-stats.ts';
import type { LogStore } from './log-store.ts';

const RING_BYTES = 4 * 2 ** 20;
/** What a batch leaves behind is little, but this thread reads pages of the log too, and a long one leaves ten megabytes. */
const YOUNG_MB = 48;
/** Time for whatever was wrong to pass; meanwhile rings fill. */
const RESTART_MS = 500;

// The same from its source and from a bundle: see the entries of the build.
const file = threadFile('query-log/ingest/ingest-thread');

type Options = {
  readonly log: LogLocation;
  /** One for each thread that answers. */
  readonly rings: number;
  readonly ringBytes?: number;
  /** The operator's file of companies. */
  readonly companies: string | undefined;
  readonly geoDatabases: readonly string[];
  readonly onProblem: (problem: unknown) => void;
};

/** `missed`: how many there were beyond those that are told. */
type TailListener = (records: readonly QueryRecord[], missed: number) => void;

export type QueryLog = {
  readonly log: LogStore;
  /** A page of it, as the management interface sends it. */
  readonly pageJson: (account: string, query: LogQuery) => Promise<string>;
  readonly rings: readonly SharedArrayBuffer[];
  /** For the dns thread, which says on it who and what the numbers in rings are. */
  readonly naming: MessagePort;
  /** The thread was lost and another one begins: who says what numbers mean says all of it again, on this port. */
  readonly onRestart: (listener: (naming: MessagePort) => void) => void;
  readonly stats: () => Promise<RecordStats>;
  /** Tells of an account's queries as they are kept, until the function it gives back is called. */
  readonly subscribe: (account: string, listener: TailListener) => () => void;
  /** Stores everything first. */
  readonly stop: () => Promise<void>;
};

type StartedQueryLog = { readonly records: QueryLog; readonly ready: Promise<void> };

/** The log, and the thread that takes answered queries out of rings and keeps them in it. */
export async function openQueryLog(options: Options): Promise<QueryLog> {
  const { records, ready } = startQueryLog(options);
  await ready;
  return records;
}

/** As `openRecords`, without waiting: records can be written to the rings at once. `ready` rejects where the thread cannot start. */
export function startQueryLog({ ringBytes = RING_BYTES, onProblem, ...options }: Options): StartedQueryLog {
  const rings = Array.from({ length: options.rings }, () => createRingMemory(ringBytes));
  const { log: place, companies, geoDatabases } = options;
  const shared = { log: place, rings, counts: createRecordCounts(rings.length), companies, geoDatabases };
  const tailListeners = new Map<string, Set<TailListener>>();
  let naming: MessagePort | undefined;
  let onRestart: (naming: MessagePort) => void = () => {};
  let isOpen = false;

  const { log, ask } = logInWorker(() => {
    const { port1, port2 } = new MessageChannel();
    const setup: IngestSetup = { ...shared, naming: port2, isSecond: naming !== undefined };
    const resourceLimits = threadLimits(YOUNG_MB);
    const thread = new Worker(file, { workerData: setup, transferList: [port2], resourceLimits });
    // Another than the first does not know whose the records in rings are until it is told.
    if (naming) onRestart(port1);
    naming = port1;
    thread.on('message', (message: TailMessage) => {
      if (message.kind !== 'seen') return;
      for (const listener of tailListeners.get(message.account) ?? []) listener(message.records, message.missed);
    });
    thread.on('error', (error) => {
      onProblem(new Error('the thread that keeps records is lost', { cause: error }));
      if (isOpen) setTimeout(startAgain, RESTART_MS).unref();
    });
    return thread;
  }, onProblem);
  // Starts the thread, also where nothing reads the log. Invalid options make it end with an error.
  const ready = ask('stats', []).then(() => {
    isOpen = true;
  });

  const setTailed = (account: string, isWatched: boolean): void => {
    if (isOpen) ask('setTailed', [account, isWatched]).catch(onProblem);
  };
  const startAgain = (): void => {
    if (isOpen) ask('stats', []).catch(onProblem);
    for (const account of tailListeners.keys()) setTailed(account, true);
  };
  const records: QueryLog = {
    log,
    pageJson: (account, query) => ask('pageJson', [account, query]) as Promise<string>,
    rings,
    naming: naming!,
    onRestart: (listener) => {
      onRestart = listener;
    },
    stats: () => ask('stats', []) as Promise<RecordStats>,
    subscribe(account, listener) {
      const known = tailListeners.get(account) ?? new Set();
      tailListeners.set(account, known.add(listener));
      if (known.size === 1) setTailed(account, true);
      return () => {
        known.delete(listener);
        if (known.size > 0 || !tailListeners.delete(account)) return;
        setTailed(account, false);
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
