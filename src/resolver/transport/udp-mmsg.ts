import { type Epoll, openEpoll } from '../../platform/epoll.ts';
import { type Libc, libc } from '../../platform/libc.ts';
import { coalescePackets } from './coalesce-packets.ts';
import {
  type AnswerSync,
  type DnsRequest,
  type Endpoint,
  type IsTrusted,
  type Report,
  withoutThrowing,
} from './listener.ts';
import { stripProxyHeader } from './proxy-protocol.ts';
import { type UdpCount, udpCounter } from './udp-counts.ts';
import { collectForwarded, type ForwardBuffer } from './udp-forwarded.ts';
import { ANSWER_STRIDE, BATCH, batchMemory, MAX_ANSWER, PEER_LENGTH, QUERY_STRIDE } from './udp-layout.ts';
import { forgetInterface, peerReader } from './udp-peer.ts';
import { openUdpSocket, RECEIVE_TIMEOUT_MS } from './udp-socket.ts';

export type UdpBatchOptions = Endpoint & {
  readonly reusePort: boolean;
  /** Proxies whose datagrams begin with a PROXY header. */
  readonly proxies?: IsTrusted;
  /** See udp-counts.ts; in shared memory other threads can read it. */
  readonly counts?: Float64Array;
  readonly report: Report;
};

export type UdpBatch = {
  readonly fd: number;
  readonly address: Endpoint;
  readonly counts: Float64Array;
  /** Blocks the thread until `stop`. */
  readonly run: (loop: UdpLoop) => void;
  readonly stop: () => void;
  /** Call this only when no thread sends on `fd` any more, because the system reuses the number for the next opened file. */
  readonly close: () => void;
};

type UdpLoop = {
  readonly answerSync: AnswerSync;
  /** Called after every batch, and every 50 ms without packets, so that the thread can read its control messages. */
  readonly onBatchEnd: () => void;
  /** Gets the queries that need a lookup, packed for readForwarded of udp-forwarded.ts. */
  readonly forward: (packed: Uint8Array<ArrayBuffer>) => void;
  /** Sends queries upstream from this thread. If it is missing, all queries that need a lookup are forwarded. */
  readonly createUpstreams?: ((batch: UpstreamsOfBatch) => BatchUpstreams) | undefined;
};

/** Functions of the loop for `BatchUpstreams`. */
export type UpstreamsOfBatch = {
  readonly libc: Libc;
  /** Registers a socket: the loop calls `receive` with this tag when it has data. */
  readonly watch: (fd: number, tag: number) => boolean;
  /** Sends an answer: `write` writes it and returns its length, as `answerSync` does. */
  readonly respond: (
    peer: Uint8Array,
    write: (output: Uint8Array, at: number, room: number) => number,
  ) => 'answered' | 'dropped' | 'needs lookup';
  /** Forwards a query in the format of udp-forwarded.ts. */
  readonly handOver: ForwardBuffer['addRecord'];
};

/** Upstream queries in flight of a UDP thread. */
export type BatchUpstreams = {
  /** Takes the query for which `answerSync` has just returned `NEEDS_LOOKUP`; false if it must be forwarded. */
  readonly take: (peers: Uint8Array, peerAt: number) => boolean;
  readonly isWaiting: () => boolean;
  readonly receive: (tag: number) => void;
  /** Called regularly while queries are in flight. */
  readonly expire: () => void;
};

const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;
const MSG_WAITFORONE = 0x10000;

const EVENTS = 256;
/** Tag of the listening socket. */
const LISTENING = 0xffffffff;
const EXPIRE_MS = 10;

/** True if packets can be read and sent in batches on this system; otherwise the reason why not. */
export function isUdpBatchPossible(): true | string {
  const functions = libc();
  return typeof functions === 'string' ? functions : true;
}

export function openUdpBatch(options: UdpBatchOptions): UdpBatch {
  const calls = libcHere();
  const { fd, family, address } = openUdpSocket(calls, options);
  const memory = batchMemory(calls, family);
  const { counts, count } = udpCounter(options.counts);
  const { queries, answers, peers } = memory;
  const readPeer = peerReader();
  const forwarded = collectForwarded();
  const { proxies } = options;
  // One object for all packets, so that synchronous answers allocate nothing.
  const noAddress = new Uint8Array(4);
  const request: DnsRequest = {
    bytes: queries,
    at: 0,
    length: 0,
    transport: 'udp',
    client: noAddress,
    clientPort: 0,
    local: noAddress,
  };
  let isStopped = false;

  /** Fills `request` from the packet; returns the name of a count if the packet is not answered. */
  const read = (index: number): UdpCount | undefined => {
    const peer = index * PEER_LENGTH;
    request.at = index * QUERY_STRIDE;
    request.length = memory.lengthOf(index);
    if ((memory.flagsOf(index) & MSG_TRUNC) !== 0) return 'oversized';
    if (!memory.hasControl(index)) return 'malformed';
    readPeer(peers, peer, request);
    forgetInterface(peers, peer);
    // A packet from port 0 is forged, because port 0 cannot receive answers.
    if (request.clientPort === 0) return 'malformed';
    return proxies?.(request.client) && !stripProxyHeader(request) ? 'malformed' : undefined;
  };

  const answerBatch = (received: number, answerSync: AnswerSync, upstreams: BatchUpstreams | undefined): void => {
    let answered = 0;
    for (let i = 0; i < received; i++) {
      const fault = read(i);
      memory.refresh(i);
      if (fault) {
        count(fault, 1);
        continue;
      }
      const length = answerSync(request, answers, answered * ANSWER_STRIDE, MAX_ANSWER);
      if (length > 0) {
        // The n-th answer goes to the n-th peer, so the peer moves to the first position that packets without an answer have left free.
        if (answered !== i) peers.copyWithin(answered * PEER_LENGTH, i * PEER_LENGTH, (i + 1) * PEER_LENGTH);
        memory.setAnswerLength(answered, length);
        answered++;
      } else if (length < 0) {
        if (!upstreams?.take(peers, i * PEER_LENGTH)) forwarded.add(request, peers, i * PEER_LENGTH);
        count('missed', 1);
      } else count('dropped', 1);
    }
    count('received', received);
    if (answered > 0) send(answered);
  };

  /** Skips an answer that the system rejects (no route, no buffer, a firewall); the next one may succeed. */
  const send = (total: number): void => {
    const done = transmit(total);
    count('answered', done);
    count('sendFailed', total - done);
  };
  const transmit = (total: number): number => {
    let done = 0;
    let lost = 0;
    while (done + lost < total) {
      const from = done + lost;
      const sent = calls.sendmmsg(fd, memory.sendHeaders(from), total - from, MSG_DONTWAIT);
      if (sent > 0) done += sent;
      else lost++;
    }
    return done;
  };

  let responses = 0;
  const sendResponses = (): void => {
    // These queries are counted as missed.
    if (responses > 0) transmit(responses);
    responses = 0;
  };
  const respond: UpstreamsOfBatch['respond'] = (peer, write) => {
    const length = write(answers, responses * ANSWER_STRIDE, MAX_ANSWER);
    if (length <= 0) return length === 0 ? 'dropped' : 'needs lookup';
    peers.set(peer, responses * PEER_LENGTH);
    memory.setAnswerLength(responses, length);
    responses += 1;
    if (responses === BATCH) sendResponses();
    return 'answered';
  };

  return {
    fd,
    address,
    counts,
    run({ answerSync: answer, onBatchEnd, forward, createUpstreams }) {
      const { answerSync } = withoutThrowing({ answerSync: answer, answerAsync: ignore }, options.report);
      const epoll = createUpstreams && openEpoll(calls, EVENTS);
      epoll?.add(fd, LISTENING);
      const upstreams =
        epoll && createUpstreams({ libc: calls, watch: epoll.add, respond, handOver: forwarded.addRecord });
      const coalesce = coalescePackets((microseconds) => void calls.usleep(microseconds));
      let packets = 0;
      const receive = (flags: number): void => {
        const received = calls.recvmmsg(fd, memory.receiveHeaders, BATCH, flags, 0);
        packets = Math.max(0, received);
        if (received > 0) answerBatch(received, answerSync, upstreams);
        else waitAfter(calls.lastError());
      };
      /** While upstream queries are in flight, their sockets are read too. */
      const receiveAll = (from: Epoll, to: BatchUpstreams): void => {
        const ready = from.wait(EXPIRE_MS);
        let isListening = false;
        for (let i = 0; i < ready; i++) {
          const tag = from.tagAt(i);
          if (tag === LISTENING) isListening = true;
          else to.receive(tag);
        }
        sendResponses();
        if (isListening) receive(MSG_DONTWAIT);
        to.expire();
      };
      while (!isStopped) {
        packets = 0;
        if (epoll && upstreams?.isWaiting()) receiveAll(epoll, upstreams);
        else receive(MSG_WAITFORONE);
        onBatchEnd();
        sendResponses();
        const packed = forwarded.take();
        if (packed) forward(packed);
        coalesce(packets, performance.now());
      }
      epoll?.close();
    },
    stop() {
      isStopped = true;
    },
    close() {
      calls.close(fd);
    },
  };
}

const ignore = (): void => undefined;

const usual = new Set(['EAGAIN', 'EINTR']);
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** A closed socket ends the loop; after other errors it waits, so that it does not spin. */
function waitAfter(error: string): void {
  if (usual.has(error)) return;
  if (error === 'EBADF' || error === 'ENOTSOCK') throw new Error(`recvmmsg ${error}`);
  Atomics.wait(sleeper, 0, 0, RECEIVE_TIMEOUT_MS);
}

function libcHere(): Libc {
  const functions = libc();
  if (typeof functions === 'string') throw new Error(functions);
  return functions;
}
