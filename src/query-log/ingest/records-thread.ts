import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { logPageText } from '../../api/wire/log-page.ts';
import type { Naming } from '../../dns-server/thread-messages.ts';
import { openCompanies } from '../../domain/catalogue/company-data.ts';
import type { LogPage } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { createRuleTexts } from '../../filter-lists/rule-texts.ts';
import { tidyWhenIdle } from '../../platform/idle-gc.ts';
import { readDataFile } from '../../platform/read-data-file.ts';
import { answerCall, failureOf, type LogCall, type LogReply } from '../backends/log-calls.ts';
import { LogFault } from '../log-store.ts';
import { createAddresses } from './client-parts.ts';
import { openPlaces } from './geoip.ts';
import { createCollector } from './ingest.ts';
import { createKeeper } from './log-writer.ts';
import { openRecordCounts } from './record-counts.ts';
import { openRingReader } from './record-ring.ts';
import type { RecordFigures } from './record-stats.ts';
import type { RecordsSetup, Seen } from './records-setup.ts';

/*
 * The thread that keeps records: takes them out of rings, packs them and stores them, and answers whatever is asked of the log.
 * Nobody who answers queries ever waits for it.
 */
const DRAIN_MS = 100;
const STORE_MS = 500;
const PLACES_MS = 60_000;
const CLEARED_MS = 60_000;
const CLOSE_MS = 4000;
/** Of one account, in one message. */
const MAX_SEEN = 500;

const { log: place, rings, naming, companies: companiesFile, geoDatabases, ...setup } = workerData as RecordsSetup;
const port = parentPort!;
const tell = (message: LogReply | Seen): void => port.postMessage(message);
const onProblem = (problem: unknown): void => tell({ kind: 'problem', failure: failureOf(problem) });

const counts = openRecordCounts(setup.counts);
// What another such thread had taken when it was lost.
counts.drop('thread lost', counts.waiting());
const readers = rings.map(openRingReader);
const rules = createRuleTexts();
const places = openPlaces(geoDatabases, onProblem);
const addresses = createAddresses(places, geoDatabases.length > 0);
const seen = new Map<string, { records: QueryRecord[]; missed: number }>();
const keeper = createKeeper(place, {
  onProblem,
  onDropped: (rows, reason) => counts.drop(reason, rows),
  onStored: (rows) => counts.countStored(rows),
  beforeStoring: () => readLetters(),
});
const collector = createCollector({
  companies: await readDataFile(companiesFile, (content) => openCompanies((content ?? {}) as object)),
  rules,
  addresses,
  packed: keeper.put,
  seen(account, made) {
    const known = seen.get(account) ?? { records: [], missed: 0 };
    seen.set(account, known);
    if (known.records.length < MAX_SEEN) known.records.push(made());
    else known.missed += 1;
  },
});
let oldestAt = 0;
let knowsAll = !setup.isSecond;

const letters: { readonly [Kind in Naming['kind']]: (naming: Extract<Naming, { kind: Kind }>) => void } = {
  who: (naming) => collector.name(naming),
  lists: ({ lists }) => rules.use(lists),
  'all told': () => {
    knowsAll = true;
  },
  logging(naming) {
    counts.drop('switched off', collector.logging(naming));
    if (!naming.isKept) keeper.discard(naming.account);
  },
};

function readLetters(): void {
  for (let letter = receiveMessageOnPort(naming); letter; letter = receiveMessageOnPort(naming)) {
    const told = letter.message as Naming;
    letters[told.kind](told as never);
  }
}

function drain(): void {
  // Whoever put a number into a ring had it named before: so letters come after the look, and nothing later is taken.
  for (const reader of readers) reader.look();
  readLetters();
  if (!knowsAll) return;
  for (const [ring, reader] of readers.entries()) {
    collector.takeAll(reader, (taken, count) => {
      counts.countTaken(count);
      if (taken !== 'taken') counts.drop(taken, count);
    });
    counts.sawRing(ring, reader.counts());
  }
  if (oldestAt === 0 && collector.rows() > 0) oldestAt = Date.now();
  for (const [account, { records, missed }] of seen) tell({ kind: 'seen', account, records, missed });
  seen.clear();
}

function packAll(): void {
  collector.packAll();
  rules.forgetReplaced();
  oldestAt = 0;
}

/** All that was answered until now is in the log, or waits because the log does not take it. */
async function store(how?: { readonly isPatient: boolean }): Promise<boolean> {
  drain();
  packAll();
  return keeper.storeAll(how);
}

tidyWhenIdle();
const draining = setInterval(() => {
  drain();
  const isDue = oldestAt > 0 && Date.now() - oldestAt >= STORE_MS;
  if (isDue) {
    collector.packDue();
    rules.forgetReplaced();
    oldestAt = collector.rows() > 0 ? Date.now() : 0;
  }
  if (isDue || oldestAt === 0 || keeper.isLarge()) keeper.storeSoon();
}, DRAIN_MS);
const refreshing = setInterval(() => {
  places.refresh();
  collector.forgetCleared(Date.now() - CLEARED_MS);
}, PLACES_MS);

const figures = (): RecordFigures => {
  drain();
  return {
    written: counts.written(),
    stored: counts.stored(),
    waiting: counts.waiting(),
    waitingBytes: keeper.waitingBytes(),
    dropped: counts.dropped(),
    lagMs: Math.max(keeper.lagMs(), oldestAt === 0 ? 0 : Date.now() - oldestAt),
  };
};

async function close(): Promise<void> {
  clearInterval(draining);
  clearInterval(refreshing);
  drain();
  packAll();
  await keeper.close(CLOSE_MS);
  rules.close();
}

/** Rows of the account that were answered until then are removed, and not stored later. */
async function removeUntil(call: LogCall, until: number): Promise<unknown> {
  const [account] = call.given as [string];
  if (!(await store({ isPatient: true }))) throw new LogFault('unavailable');
  collector.cleared(account, until);
  return answerCall(await keeper.log(), call);
}

type Answer = (call: LogCall) => Promise<unknown>;
const reading: Answer = async (call) => {
  await store();
  return answerCall(await keeper.log(), call);
};
const own: Readonly<Record<string, Answer>> = {
  pageText: async (call) => logPageText((await reading({ ...call, name: 'page' })) as LogPage),
  figures: async () => figures(),
  watch: async ({ given: [account, isWatched] }) => collector.watch(account as string, isWatched as boolean),
  clear: (call) => removeUntil(call, Date.now()),
  // Queries may be answered for a deleted account until every thread has heard of the deletion. Its id is never used again.
  forget: (call) => removeUntil(call, Number.POSITIVE_INFINITY),
  close,
};

port.on('message', (call: LogCall) => {
  (own[call.name] ?? reading)(call)
    .then(
      (value) => tell({ kind: 'done', id: call.id, value }),
      (error: unknown) => tell({ kind: 'failed', id: call.id, failure: failureOf(error) }),
    )
    .finally(() => {
      if (call.name === 'close') port.close();
    });
});
