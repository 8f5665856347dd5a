import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { threadLimits } from '../platform/thread-limits.ts';
import type { IngestSetup, LogLocation, TailMessage } from './ingest/ingest-setup.ts';
import { createRecordCounts } from './ingest/record-counts.ts';
import { createRingMemory } from './ingest/record-ring.ts';
import type { RecordStats } from './ingest/record-stats.ts';
import type { LogStore } from './log-store.ts';
import { logClient } from './thread/log-client.ts';

/** Enough for more than three seconds at 80,000 records per second, in case V8 is still compiling the code of the log. */
const RING_BYTES = 32 * 2 ** 20;
/** Batches allocate little, but the thread also reads pages, and a page of 1000 rows allocates ten megabytes. */
const YOUNG_MB = 48;
/** Delay before the thread is restarted; the rings buffer records meanwhile. */
const RESTART_MS = 500;

type Options = {
  readonly log: LogLocation;
  /** The file of a thread that calls `runIngestThread`. */
  readonly thread: URL;
  /** Number of rings: one per answering thread. */
  readonly rings: number;
  readonly ringBytes?: number;
  /** Path of the operator's company file. */
  readonly companies: string | undefined;
  readonly geoDatabases: readonly string[];
  readonly onProblem: (problem: unknown) => void;
};

/** `missed`: number of records dropped because of the limit per message. */
type TailListener = (records: readonly QueryRecord[], missed: number) => void;

export type QueryLog = {
  readonly log: LogStore;
  /** A page as JSON of the management API. */
  readonly pageJson: (account: string, query: LogQuery) => Promise<string>;
  readonly rings: readonly SharedArrayBuffer[];
  /** Port for the resolver thread, which sends the meaning of the ids in records. */
  readonly clientIdPort: MessagePort;
  /** Called when the thread was replaced; everything must be resent on the new port. */
  readonly onRestart: (listener: (clientIdPort: MessagePort) => void) => void;
  readonly stats: () => Promise<RecordStats>;
  /** Calls the listener with new records of an account until the returned function is called. */
  readonly subscribe: (account: string, listener: TailListener) => () => void;
  /** Stores all records first. */
  readonly stop: () => Promise<void>;
};

type StartedQueryLog = { readonly records: QueryLog; readonly ready: Promise<void> };

/**
 * Opens the log and the ingest thread that stores query records.
 * @testonly
 */
export async function openQueryLog(options: Options): Promise<QueryLog> {
  const { records, ready } = startQueryLog(options);
  await ready;
  return records;
}

/**
 * Like `openQueryLog`, without waiting: records can be written to the rings at once. `ready` rejects if the thread
 * cannot start.
 */
export function startQueryLog({ ringBytes = RING_BYTES, onProblem, ...options }: Options): StartedQueryLog {
  const rings = Array.from({ length: options.rings }, () => createRingMemory(ringBytes));
  const { log: location, companies, geoDatabases } = options;
  const shared = { log: location, rings, counts: createRecordCounts(rings.length), companies, geoDatabases };
  const tailListeners = new Map<string, Set<TailListener>>();
  let clientIdPort: MessagePort | undefined;
  let onRestart: (clientIdPort: MessagePort) => void = () => {};
  let isOpen = false;

  const startThread = (): Worker => {
    const { port1, port2 } = new MessageChannel();
    const setup: IngestSetup = { ...shared, clientIdPort: port2, isSecond: clientIdPort !== undefined };
    const resourceLimits = threadLimits(YOUNG_MB);
    const thread = new Worker(options.thread, { workerData: setup, transferList: [port2], resourceLimits });
    // A replacement thread has no client ids until they are sent again.
    if (clientIdPort) onRestart(port1);
    clientIdPort = port1;
    thread.on('error', (error) => {
      onProblem(new Error('the query log thread ended unexpectedly', { cause: error }));
      if (isOpen) setTimeout(startAgain, RESTART_MS).unref();
    });
    return thread;
  };
  const onTail = ({ account, records, missed }: TailMessage): void => {
    for (const listener of tailListeners.get(account) ?? []) listener(records, missed);
  };
  const { log, ask } = logClient(startThread, onProblem, onTail);
  // Starts the thread even if nothing reads the log. Invalid options make it end with an error.
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
    clientIdPort: clientIdPort!,
    onRestart: (listener) => {
      onRestart = listener;
    },
    stats: () => ask('stats', []) as Promise<RecordStats>,
    subscribe(account, listener) {
      const listenersOfAccount = tailListeners.get(account) ?? new Set();
      tailListeners.set(account, listenersOfAccount.add(listener));
      if (listenersOfAccount.size === 1) setTailed(account, true);
      return () => {
        listenersOfAccount.delete(listener);
        if (listenersOfAccount.size > 0 || !tailListeners.delete(account)) return;
        setTailed(account, false);
      };
    },
    async stop() {
      isOpen = false;
      await log.close();
      clientIdPort?.close();
    },
  };
  return { records, ready };
}
