import { once } from 'node:events';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { isEnoughLetGo, isMuchLetGo, tidyNow } from '../platform/idle-gc.ts';
import { knownClients } from '../resolver/identity/known-clients.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { createAnswerAtOnce } from '../resolver/pipeline/fast-path.ts';
import { udpCountNames } from '../resolver/transport/udp-counts.ts';
import { openUdpBatch } from '../resolver/transport/udp-mmsg.ts';
import { setUpAnswering } from './answering-thread.ts';
import type { Place, ToUdp } from './thread-messages.ts';
import type { FromUdp, UdpSetup } from './udp-messages.ts';

/*
 * Reads queries of plain DNS in batches, answers what it can from shared memory, and hands the rest to the dns thread. It is blocked
 * in the system most of the time: mail is read between batches, when the counter in shared memory says that there is some.
 */
const { answering, proxies, counts, mail, mailbox, misses } = workerData as UdpSetup;
const main = parentPort!;
const tell = (message: FromUdp): void => main.postMessage(message);

const thread = setUpAnswering(answering, (skipped) => tell({ kind: 'skipped', skipped }));
const clients = knownClients(new Int32Array(answering.memory.epochs), (lesson) => {
  thread.useRuleTables(lesson.known.profile.settings, lesson.ruleTables);
  return thread.standing(lesson);
});
const letters = new Int32Array(mail);
let read = 0;

function readMail(): void {
  const count = Atomics.load(letters, 0);
  if (count === read) return;
  read = count;
  for (let letter = receiveMessageOnPort(mailbox); letter; letter = receiveMessageOnPort(mailbox))
    take(letter.message as ToUdp);
}

// It makes next to nothing once it answers: what it needed to begin, and tables that were replaced, are thrown away when nobody asks
// for a moment, and nothing after that.
const TIDY_AFTER_MS = 5000;
const received = new Float64Array(counts).subarray(udpCountNames.indexOf('received'));
let isTidy = false;
let receivedBefore = 0;

const TIDY_RULES_MS = 1000;
let rulesTidiedAt = 0;

function betweenBatches(): void {
  readMail();
  if (performance.now() > rulesTidiedAt + TIDY_RULES_MS) {
    rulesTidiedAt = performance.now();
    thread.tidyRules();
  }
  if ((isTidy && !isEnoughLetGo()) || performance.now() < TIDY_AFTER_MS) return;
  const isQuiet = received[0] === receivedBefore;
  receivedBefore = received[0]!;
  if (!isQuiet && !isMuchLetGo()) return;
  tidyNow();
  isTidy = true;
}

function take(message: ToUdp): void {
  if (message.kind === 'tables') thread.useTables(message.tables);
  else if (message.kind === 'lesson') clients.learn(message);
  else batch?.stop();
}

const open = ({ host, port }: Place) =>
  openUdpBatch({
    host,
    port,
    reusePort: true,
    counts: new Float64Array(counts),
    ...(proxies.length > 0 && { proxies: networkSet(proxies) }),
    tell: (problem, error) => tell({ kind: 'told', problem, error: error instanceof Error ? error.stack : undefined }),
  });

let batch: ReturnType<typeof open> | undefined;
// Loaded while the dns thread starts, and bound when the port is known: TCP takes it first.
const [place] = (await once(main, 'message')) as [Place];
try {
  batch = open(place);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  tell({ kind: 'cannot listen', code, message });
}
if (batch) {
  const { fd, address } = batch;
  tell({ kind: 'listening', fd, address });
  const atOnce = createAnswerAtOnce({ ...thread, standingOf: clients.standingOf });
  readMail();
  batch.run(atOnce, betweenBatches, (packed) => misses.postMessage({ fd, packed }, [packed.buffer]));
  // The dns thread may still be about to answer on this socket: whoever ends that thread closes it.
  tell({ kind: 'stopped' });
}
misses.close();
mailbox.close();
