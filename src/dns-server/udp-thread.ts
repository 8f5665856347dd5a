import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { collectNow, isEnoughReleased, isMuchReleased } from '../platform/idle-gc.ts';
import { createRpc } from '../platform/worker-rpc.ts';
import { knownClients } from '../resolver/identity/known-clients.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { createFastPath } from '../resolver/pipeline/pipeline.ts';
import type { Endpoint } from '../resolver/transport/listener.ts';
import { udpCountNames } from '../resolver/transport/udp-counts.ts';
import { openUdpBatch } from '../resolver/transport/udp-mmsg.ts';
import { setUpAnswering } from './set-up-answering.ts';
import type { ActivityMessage, ProblemMessage, SkippedMessage, ToUdp } from './thread-messages.ts';
import type { UdpSetup } from './udp-messages.ts';

/*
 * Reads plain DNS queries in batches, answers them from shared memory, and forwards those that need a lookup to the resolver thread.
 * It blocks in a system call most of the time, so control messages are read between batches, when their count has changed.
 */
const { answering, proxies, counts, messageCount, controlPort, forwardPort } = workerData as UdpSetup;
const main = parentPort!;
const post = (message: ProblemMessage | SkippedMessage | ActivityMessage): void => main.postMessage(message);

const thread = setUpAnswering(answering, (skipped) => post({ kind: 'skipped', skipped }));
const clients = knownClients(new Int32Array(answering.memory.configVersions), (update) => {
  thread.useRuleTables(update.identity.profile.settings, update.ruleTables);
  return thread.toClient(update);
});
const sentMessages = new Int32Array(messageCount);
let readMessages = 0;

function drainMessages(): void {
  const sent = Atomics.load(sentMessages, 0);
  if (sent === readMessages) return;
  readMessages = sent;
  for (let received = receiveMessageOnPort(controlPort); received; received = receiveMessageOnPort(controlPort))
    handle(received.message as ToUdp);
}

// Answering allocates next to nothing: only garbage from the start and replaced tables is collected, when no queries arrive.
const COLLECT_AFTER_MS = 5000;
const received = new Float64Array(counts).subarray(udpCountNames.indexOf('received'));
let isCollected = false;
let receivedBefore = 0;

const EVICT_RULES_MS = 1000;
let rulesEvictedAt = 0;

function betweenBatches(): void {
  drainMessages();
  if (performance.now() > rulesEvictedAt + EVICT_RULES_MS) {
    rulesEvictedAt = performance.now();
    thread.tidyRules();
  }
  if ((isCollected && !isEnoughReleased()) || performance.now() < COLLECT_AFTER_MS) return;
  const isQuiet = received[0] === receivedBefore;
  receivedBefore = received[0]!;
  if (!isQuiet && !isMuchReleased()) return;
  collectNow();
  isCollected = true;
}

function handle(message: ToUdp): void {
  if (message.kind === 'tables') thread.useTables(message.tables);
  else if (message.kind === 'client update') clients.applyUpdate(message);
  else if (message.kind === 'host names') thread.useHostNames(message.memory);
  else if (message.kind === 'release rules') thread.releaseRules(message.accounts);
  else if (message.kind === 'report activity')
    post({ kind: 'client activity', round: message.round, activity: thread.activity.take() });
  else batch?.stop();
}

const open = ({ host, port }: Endpoint) =>
  openUdpBatch({
    host,
    port,
    reusePort: true,
    counts: new Float64Array(counts),
    ...(proxies.length > 0 && { proxies: networkSet(proxies) }),
    report: (problem, error) =>
      post({ kind: 'problem', problem, error: error instanceof Error ? error.stack : undefined }),
  });

let batch: ReturnType<typeof open> | undefined;

/** Returns when the thread is to stop. */
function answerQueries(): void {
  if (batch) {
    const { fd } = batch;
    const answerSync = createFastPath({ ...thread, identify: clients.identify });
    drainMessages();
    // The resolver thread may still answer on this socket afterwards: it is closed with the process.
    batch.run(answerSync, betweenBatches, (packed) => forwardPort.postMessage({ fd, packed }, [packed.buffer]));
  }
  for (const port of [forwardPort, controlPort, main]) port.close();
}

// This thread loads while the resolver thread starts, and binds when the port is known: TCP binds first.
createRpc<never, Endpoint>(main, (endpoint) => {
  // After the reply: from then on this thread does not return to its event loop.
  setImmediate(answerQueries);
  batch = open(endpoint);
  return batch.address;
});
