import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openCompanies } from '../../domain/catalogue/company-data.ts';
import type { LogPage } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { openGeoIp } from '../../platform/geoip.ts';
import { collectWhenIdle } from '../../platform/idle-gc.ts';
import { readDataFile } from '../../platform/read-data-file.ts';
import { measureThreadLoad } from '../../platform/thread-load.ts';
import { raiseThreadPriority } from '../../platform/thread-priority.ts';
import { createRpc } from '../../platform/worker-rpc.ts';
import { LogError } from '../log-store.ts';
import { answerCall, closeAfterReply, type LogCall, type ProblemMessage, problemMessage } from '../thread/log-calls.ts';
import { createAddressFacts } from './address-facts.ts';
import { createIngest } from './ingest.ts';
import type { IngestMessage, RuleSource } from './ingest-message.ts';
import type { IngestSetup, TailMessage } from './ingest-setup.ts';
import { FEW, intervalsOf } from './intervals.ts';
import { createLogWriter } from './log-writer.ts';
import { openRecordCounts } from './record-counts.ts';
import { openRingReader } from './record-ring.ts';
import type { RecordStats } from './record-stats.ts';

const GEOIP_MS = 60_000;
const CLEARED_MS = 60_000;
const CLOSE_MS = 3000;
/** Records of one account in one message. */
const MAX_SEEN = 500;

type ThreadDeps<List> = {
  readonly rules: RuleSource<List>;
  /** Returns the page as JSON, because cloning 1,000 records between threads takes longer. */
  readonly formatPage: (page: LogPage) => string;
};

/**
 * The ingest thread: reads records from the rings, encodes and stores them, and answers queries of the log. Threads that
 * answer DNS queries never wait for it.
 */
export async function runIngestThread<List>({ rules, formatPage }: ThreadDeps<List>): Promise<void> {
  type Message = IngestMessage<List>;
  const {
    log: location,
    rings,
    clientIdPort,
    companies: companiesFile,
    geoDatabases,
    ...setup
  } = workerData as IngestSetup;
  const port = parentPort!;
  const post = (message: ProblemMessage | TailMessage): void => port.postMessage(message);
  const onProblem = (problem: unknown): void => post(problemMessage(problem));

  const counts = openRecordCounts(setup.counts);
  const readers = rings.map(openRingReader);
  const geoIp = openGeoIp(geoDatabases, onProblem);
  const addresses = createAddressFacts(geoIp, geoDatabases.length > 0);
  const tail = new Map<string, { records: QueryRecord[]; missed: number }>();
  let isReachable = true;
  const writer = createLogWriter(location, {
    onProblem,
    onDropped: (rows, reason) => counts.drop(reason, rows),
    onStored: (rows) => {
      counts.countStored(rows);
      isReachable = true;
    },
    beforeStoring: () => readMessages(),
  });
  // Records that a previous thread had read and not stored, and those that an earlier process has left in the spool.
  const [waiting, spooled] = [counts.waiting(), writer.spooledRows()];
  counts.drop('thread lost', Math.max(0, waiting - spooled));
  counts.countTaken(Math.max(0, spooled - waiting));
  const ingest = createIngest({
    companies: await readDataFile(companiesFile, (content) => openCompanies((content ?? {}) as object)),
    rules,
    addresses,
    encoded: writer.put,
    isSharing: !('folder' in location),
    tail(account, made) {
      const tailOfAccount = tail.get(account) ?? { records: [], missed: 0 };
      tail.set(account, tailOfAccount);
      if (tailOfAccount.records.length < MAX_SEEN) tailOfAccount.records.push(made());
      else tailOfAccount.missed += 1;
    },
  });
  let oldestAt = 0;
  let knowsAll = !setup.isSecond;

  const handlers: { readonly [Kind in Message['kind']]: (message: Extract<Message, { kind: Kind }>) => void } = {
    client: (message) => ingest.setClient(message),
    lists: ({ lists }) => rules.use(lists),
    complete: () => {
      knowsAll = true;
    },
    logging(message) {
      counts.drop('switched off', ingest.setLogging(message));
      if (!message.isLogged) writer.discard(message.account);
    },
  };

  function readMessages(): void {
    for (let received = receiveMessageOnPort(clientIdPort); received; received = receiveMessageOnPort(clientIdPort)) {
      const message = received.message as Message;
      handlers[message.kind](message as never);
    }
  }

  function drain(): void {
    // A client id is sent before its first record: read messages after `look`, so every visible record has a known id.
    for (const reader of readers) reader.look();
    readMessages();
    if (!knowsAll) return;
    for (const [ring, reader] of readers.entries()) {
      ingest.takeAll(reader, (taken, count) => {
        counts.countTaken(count);
        if (taken !== 'taken') counts.drop(taken, count);
      });
      counts.sawRing(ring, reader.counts());
    }
    if (oldestAt === 0 && ingest.rows() > 0) oldestAt = Date.now();
    for (const [account, { records, missed }] of tail) post({ kind: 'seen', account, records, missed });
    tail.clear();
  }

  function encodeRows(): void {
    ingest.encodeAll();
    rules.forgetReplaced();
    oldestAt = 0;
  }

  /** Stores all records answered so far; false if the log does not accept them. */
  async function store(exchange?: { readonly isPatient: boolean }): Promise<boolean> {
    drain();
    encodeRows();
    return writer.storeAll(exchange);
  }

  raiseThreadPriority();
  const intervals = intervalsOf(location);
  collectWhenIdle();
  const load = measureThreadLoad();
  const drainAndStore = (): void => {
    load.began();
    const before = counts.taken();
    drain();
    const storeMs = ingest.rows() < FEW ? intervals.storeFew : intervals.store;
    const isDue = oldestAt > 0 && Date.now() - oldestAt >= storeMs;
    if (isDue) {
      ingest.encodeDue();
      rules.forgetReplaced();
      oldestAt = ingest.rows() > 0 ? Date.now() : 0;
    }
    if (isDue || oldestAt === 0 || writer.isLarge()) writer.storeSoon();
    const areFew = !ingest.isTailing() && counts.taken() - before < FEW;
    drainAfter(areFew ? intervals.drainFew : intervals.drain);
  };
  let draining: NodeJS.Timeout | undefined;
  const drainAfter = (ms: number): void => {
    draining = setTimeout(drainAndStore, ms);
    load.ended(ms);
  };
  drainAfter(intervals.drain);
  const refreshing = setInterval(() => {
    geoIp.refresh();
    ingest.removeClearedBefore(Date.now() - CLEARED_MS);
  }, GEOIP_MS);

  const stats = (): RecordStats => {
    drain();
    return {
      written: counts.written(),
      stored: counts.stored(),
      waiting: counts.waiting(),
      waitingBytes: writer.waitingBytes(),
      dropped: counts.dropped(),
      isReachable: isReachable && !writer.isFailing(),
      lagMs: Math.max(writer.lagMs(), oldestAt === 0 ? 0 : Date.now() - oldestAt),
      load: load.takeLoad(),
    };
  };

  async function close(): Promise<void> {
    clearTimeout(draining);
    clearInterval(refreshing);
    load.stop();
    drain();
    encodeRows();
    await writer.close(CLOSE_MS);
    rules.close();
  }

  /** Deletes rows of the account up to `until`, including those not stored yet. */
  async function removeUntil(call: LogCall, until: number): Promise<unknown> {
    const [account] = call.args as [string];
    if (!(await store({ isPatient: true }))) throw new LogError('unavailable');
    ingest.cleared(account, until);
    return answer(call);
  }

  async function answer(call: LogCall): Promise<unknown> {
    try {
      const result = await answerCall(await writer.log(), call);
      isReachable = true;
      return result;
    } catch (error) {
      if (error instanceof LogError && error.kind === 'unavailable') isReachable = false;
      throw error;
    }
  }

  type Answer = (call: LogCall) => Promise<unknown>;
  const reading: Answer = async (call) => {
    await store();
    return answer(call);
  };
  const callHandlers: Readonly<Record<string, Answer>> = {
    pageJson: async (call) => formatPage((await reading({ ...call, name: 'page' })) as LogPage),
    stats: async () => stats(),
    setTailed: async ({ args: [account, isWatched] }) => ingest.setTailed(account as string, isWatched as boolean),
    clear: (call) => removeUntil(call, Date.now()),
    // Threads may answer queries of a deleted account until they receive the deletion. Account ids are never reused.
    deleteAccount: (call) => removeUntil(call, Number.POSITIVE_INFINITY),
    close: () => close().finally(() => closeAfterReply(port)),
  };

  createRpc<never, LogCall>(port, (call) => (callHandlers[call.name] ?? reading)(call));
}
