import { type Libc, libc } from '../../platform/libc.ts';
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
import { collectForwarded } from './udp-forwarded.ts';
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
  /**
   * Blocks the thread until `stop`. `onBatchEnd` is called after every batch, and every 50 ms without one: the thread
   * reads its control messages there. `forward` gets the queries that need a lookup, packed for readForwarded of
   * udp-forwarded.ts.
   */
  readonly run: (
    answerSync: AnswerSync,
    onBatchEnd: () => void,
    forward: (packed: Uint8Array<ArrayBuffer>) => void,
  ) => void;
  readonly stop: () => void;
  /** Only when no thread sends on `fd` any more: the system reuses the number for the next opened file. */
  readonly close: () => void;
};

const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;
const MSG_WAITFORONE = 0x10000;

/** Whether packets can be read and sent in batches here; if not, the reason. */
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
  // One object for all packets: synchronous answers allocate nothing.
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
    // Port 0 cannot receive an answer: the packet is forged.
    if (request.clientPort === 0) return 'malformed';
    return proxies?.(request.client) && !stripProxyHeader(request) ? 'malformed' : undefined;
  };

  const answerBatch = (received: number, answerSync: AnswerSync): void => {
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
        // The n-th answer goes to the n-th peer; earlier positions are free if their packets were not answered.
        if (answered !== i) peers.copyWithin(answered * PEER_LENGTH, i * PEER_LENGTH, (i + 1) * PEER_LENGTH);
        memory.setAnswerLength(answered, length);
        answered++;
      } else if (length < 0) {
        forwarded.add(request, peers, i * PEER_LENGTH);
        count('missed', 1);
      } else count('dropped', 1);
    }
    count('received', received);
    if (answered > 0) send(answered);
  };

  /** An answer that the system refuses (no route, no buffer, a firewall) is lost; the next one may pass. */
  const send = (total: number): void => {
    let done = 0;
    let lost = 0;
    while (done + lost < total) {
      const from = done + lost;
      const sent = calls.sendmmsg(fd, memory.sendHeaders(from), total - from, MSG_DONTWAIT);
      if (sent > 0) done += sent;
      else lost++;
    }
    count('answered', done);
    count('sendFailed', lost);
  };

  return {
    fd,
    address,
    counts,
    run(answer, onBatchEnd, forward) {
      const { answerSync } = withoutThrowing({ answerSync: answer, answerAsync: ignore }, options.report);
      while (!isStopped) {
        const received = calls.recvmmsg(fd, memory.receiveHeaders, BATCH, MSG_WAITFORONE, 0);
        if (received > 0) {
          answerBatch(received, answerSync);
          const packed = forwarded.take();
          if (packed) forward(packed);
        } else waitAfter(calls.lastError());
        onBatchEnd();
      }
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

/** A closed socket is an error; all other errors must not make the loop spin. */
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
