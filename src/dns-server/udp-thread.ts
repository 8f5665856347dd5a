import { randomFillSync } from 'node:crypto';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { collectNow, isEnoughReleased, isMuchReleased } from '../platform/idle-gc.ts';
import { useRealTimePriority } from '../platform/real-time-priority.ts';
import { raiseThreadPriority } from '../platform/thread-priority.ts';
import { createRpc } from '../platform/worker-rpc.ts';
import { openCacheWriter } from '../resolver/cache/write-cache.ts';
import { openClaims } from '../resolver/forwarder/claims.ts';
import { createForwarder, type Forwarder } from '../resolver/forwarder/forwarder.ts';
import { openRecentFailures } from '../resolver/forwarder/recent-failures.ts';
import { collectRelayed, readRelayed } from '../resolver/forwarder/relay-messages.ts';
import { knownClients } from '../resolver/identity/known-clients.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { type NameFilter, openNameFilter } from '../resolver/local-names/name-filter.ts';
import { createFastPath, type FastPath } from '../resolver/pipeline/pipeline.ts';
import type { Endpoint } from '../resolver/transport/listener.ts';
import { udpCountNames } from '../resolver/transport/udp-counts.ts';
import { type BatchUpstreams, openUdpBatch, type UpstreamsOfBatch } from '../resolver/transport/udp-mmsg.ts';
import { pooledRandom } from '../resolver/upstream/random.ts';
import { sentNames } from '../resolver/upstream/sent-names.ts';
import { setUpAnswering } from './set-up-answering.ts';
import type { ActivityMessage, ProblemMessage, SkippedMessage, ToUdp } from './thread-messages.ts';
import type { ForwardedMessage, RelayMessage, UdpSetup } from './udp-messages.ts';

/*
 * Reads plain DNS queries in batches, answers them from shared memory, sends those that miss the cache to an upstream, and forwards
 * all others that need a lookup to the resolver thread.
 * It blocks in a system call most of the time, so control messages are read between batches, when their count has changed.
 */
const { number, answering, proxies, counts, messageCount, controlPort, forwardPort, forwardCounters } =
  workerData as UdpSetup;
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

let priority: ReturnType<typeof useRealTimePriority> | undefined;
const EVICT_RULES_MS = 1000;
let rulesEvictedAt = 0;

function betweenBatches(): void {
  sendRelayed();
  drainMessages();
  const now = performance.now();
  priority?.check(now);
  if (now > rulesEvictedAt + EVICT_RULES_MS) {
    rulesEvictedAt = now;
    thread.evictRules();
    thread.releaseRing();
    forwarder?.closeOld();
  }
  if ((isCollected && !isEnoughReleased()) || now < COLLECT_AFTER_MS) return;
  const isQuiet = received[0] === receivedBefore;
  receivedBefore = received[0]!;
  if (!isQuiet && !isMuchReleased()) return;
  collectNow();
  isCollected = true;
}

function handle(message: ToUdp): void {
  if (message.kind === 'tables') thread.useTables(message.tables);
  else if (message.kind === 'settings') thread.useSettings(message.settings);
  else if (message.kind === 'client update') clients.applyUpdate(message);
  else if (message.kind === 'host names') thread.useHostNames(message.memory);
  else if (message.kind === 'release rules') thread.releaseRules(message.accounts);
  else if (message.kind === 'upstreams') useTargets(message);
  else if (message.kind === 'relayed') readRelayed(message.packed, (relayed) => forwarder?.receiveRelayed(relayed));
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
let forwarder: Forwarder | undefined;
let wakeUp: ReturnType<typeof openWakeUp> | undefined;
// Above the tags of sockets to upstreams.
const WAKE_UP = 0xfffffffe;
// EFD_CLOEXEC and EFD_NONBLOCK.
const EVENTFD_FLAGS = 0o2004000;
let localNames: NameFilter | undefined;

function useTargets({ targets, localNames: memory }: Extract<ToUdp, { kind: 'upstreams' }>): void {
  if (localNames?.memory !== memory) localNames = openNameFilter(memory);
  forwarder?.use(targets);
}

function openForwarder({ libc, watch, respond, handOver }: UpstreamsOfBatch, fastPath: FastPath): Forwarder {
  return createForwarder({
    libc,
    watch,
    relay: (query, length) => relayed.add(query, length),
    random: pooledRandom((bytes) => void randomFillSync(bytes)),
    cache: openCacheWriter(answering.memory.cache),
    seconds: thread.clock.seconds,
    nowMs: () => performance.now(),
    counters: new Float64Array(forwardCounters),
    sent: sentNames(answering.memory.sentNames),
    failures: openRecentFailures(answering.memory.failures, thread.clock.seconds),
    claims: openClaims(answering.memory.claims, number, () => wakeUp?.wakeOthers()),
    isLocal: (bytes, at, end) => localNames?.mayMatch(bytes, at, end) ?? true,
    answer(arrived, request, peer) {
      const write = (output: Uint8Array, at: number, room: number): number =>
        arrived
          ? fastPath.answerWith(arrived, request, output, at, room)
          : fastPath.answerSync(request, output, at, room);
      return respond(peer, write) !== 'needs lookup';
    },
    handOver,
  });
}

const sendToResolver = (
  message: { readonly packed: Uint8Array<ArrayBuffer> } & (ForwardedMessage | RelayMessage),
): void => forwardPort.postMessage(message, [message.packed.buffer]);

const relayed = collectRelayed();
function sendRelayed(): void {
  const packed = relayed.take();
  if (packed && wakeUp) sendToResolver({ kind: 'relay', wakeFd: wakeUp.fd, packed });
}

/** Lets other threads end the wait for packets: when replies have arrived, or a question that they share has its answer. */
function openWakeUp({ libc, watch }: UpstreamsOfBatch) {
  const fd = libc.eventfd(0, EVENTFD_FLAGS);
  const count = new Uint8Array(new ArrayBuffer(8));
  const address = libc.addressOf(count);
  watch(fd, WAKE_UP);
  const one = new Uint8Array(BigUint64Array.of(1n).buffer);
  const oneAddress = libc.addressOf(one);
  const fds = new Int32Array(answering.memory.wakeFds);
  Atomics.store(fds, number, fd);
  return {
    fd,
    clear: (): void => void libc.read(fd, address, count.length),
    wakeOthers(): void {
      for (let other = 0; other < fds.length; other++) {
        const otherFd = Atomics.load(fds, other);
        if (other !== number && otherFd > 0) libc.write(otherFd, oneAddress, one.length);
      }
    },
  };
}

const takeMissed =
  (to: Forwarder, fastPath: FastPath): BatchUpstreams['take'] =>
  (peers, peerAt) => {
    const context = fastPath.missed();
    return context !== undefined && to.take(context, peers, peerAt);
  };

/** Returns when the thread is to stop. */
function answerQueries(): void {
  if (batch) {
    const { fd } = batch;
    const fastPath = createFastPath({ ...thread, identify: clients.identify });
    // For the times without real-time priority: as high as the ingest thread of the log.
    raiseThreadPriority();
    priority = useRealTimePriority(thread.recordBacklog);
    // The resolver thread may still answer on this socket afterwards: it is closed with the process.
    batch.run({
      answerSync: fastPath.answerSync,
      onBatchEnd: betweenBatches,
      forward: (packed) => sendToResolver({ kind: 'forwarded', fd, packed }),
      createUpstreams(of) {
        const opened = openForwarder(of, fastPath);
        forwarder = opened;
        wakeUp = openWakeUp(of);
        drainMessages();
        return {
          take: takeMissed(opened, fastPath),
          isWaiting: opened.isWaiting,
          receive(tag) {
            if (tag !== WAKE_UP) opened.receive(tag);
            else {
              wakeUp?.clear();
              drainMessages();
              opened.checkFollowed();
            }
          },
          expire: () => opened.expire(),
        };
      },
    });
  }
  for (const port of [forwardPort, controlPort, main]) port.close();
}

// This thread loads while the resolver thread starts, and binds when the port is known: TCP binds first.
createRpc<never, Endpoint>(main, (endpoint) => {
  // Called after the reply, because this thread does not return to its event loop then.
  setImmediate(answerQueries);
  batch = open(endpoint);
  return batch.address;
});
