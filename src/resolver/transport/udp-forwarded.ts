import { type Libc, libc } from '../../platform/libc.ts';
import type { DnsRequest } from './listener.ts';
import { BATCH, type Family, MAX_ANSWER, MAX_QUERY, PEER_LENGTH, writeAddress, writeHeader } from './udp-layout.ts';
import { familyOf } from './udp-peer.ts';

// One query: lengths, client, local address, the peer to answer, then the message.
const CLIENT_LENGTH = 2;
const LOCAL_LENGTH = 3;
const CLIENT_PORT = 4;
const CLIENT = 6;
const LOCAL = CLIENT + 16;
const PEER = LOCAL + 16;
const MESSAGE = PEER + PEER_LENGTH;

export type ForwardBuffer = {
  readonly add: (request: DnsRequest, peers: Uint8Array, peerAt: number) => void;
  /** All queries added since the last call, in a new buffer that can be transferred to another thread. */
  readonly take: () => Uint8Array<ArrayBuffer> | undefined;
};

export function collectForwarded(): ForwardBuffer {
  const room = new Uint8Array(BATCH * (MESSAGE + MAX_QUERY));
  let used = 0;
  return {
    add({ bytes, at, length, client, clientPort, local }, peers, peerAt) {
      room[used] = length >> 8;
      room[used + 1] = length;
      room[used + CLIENT_LENGTH] = client.length;
      room[used + LOCAL_LENGTH] = local.length;
      room[used + CLIENT_PORT] = clientPort >> 8;
      room[used + CLIENT_PORT + 1] = clientPort;
      room.set(client, used + CLIENT);
      room.set(local, used + LOCAL);
      room.set(peers.subarray(peerAt, peerAt + PEER_LENGTH), used + PEER);
      room.set(bytes.subarray(at, at + length), used + MESSAGE);
      used += MESSAGE + length;
    },
    take() {
      if (used === 0) return undefined;
      const taken = room.slice(0, used);
      used = 0;
      return taken;
    },
  };
}

/** Reads what `take` returned. `request` and `peer` are not reused. */
export function readForwarded(packed: Uint8Array, each: (request: DnsRequest, peer: Uint8Array) => void): void {
  const two = (at: number): number => (packed[at]! << 8) | packed[at + 1]!;
  for (let at = 0; at < packed.length; ) {
    const length = two(at);
    const request: DnsRequest = {
      bytes: packed.subarray(at + MESSAGE, at + MESSAGE + length),
      at: 0,
      length,
      transport: 'udp',
      client: packed.subarray(at + CLIENT, at + CLIENT + packed[at + CLIENT_LENGTH]!),
      clientPort: two(at + CLIENT_PORT),
      local: packed.subarray(at + LOCAL, at + LOCAL + packed[at + LOCAL_LENGTH]!),
      hasPassedRateLimit: true,
    };
    each(request, packed.subarray(at + PEER, at + PEER + PEER_LENGTH));
    at += MESSAGE + length;
  }
}

const MSG_DONTWAIT = 0x40;

type Envelope = {
  readonly libc: Libc;
  readonly peer: Uint8Array;
  readonly data: Uint8Array;
  readonly iov: Uint32Array;
  readonly headers: Readonly<Record<Family, number>>;
  /** Referenced here so that the addresses stay valid. */
  readonly words: Uint32Array;
};

let envelope: Envelope | undefined;

/**
 * Sends a late answer through the socket that received the query, from any thread: descriptors belong to the process.
 * `peer` is the one from `readForwarded`. False if the system refused it; the answer is then lost, like any lost
 * packet.
 */
export function sendOn(fd: number, bytes: Uint8Array, peer: Uint8Array): boolean {
  envelope ??= createEnvelope();
  if (bytes.length > MAX_ANSWER) return false;
  envelope.data.set(bytes);
  envelope.peer.set(peer);
  envelope.iov[2] = bytes.length;
  return envelope.libc.sendmsg(fd, envelope.headers[familyOf(peer)], MSG_DONTWAIT) >= 0;
}

function createEnvelope(): Envelope {
  const calls = libc();
  if (typeof calls === 'string') throw new Error(calls);
  const peer = new Uint8Array(new ArrayBuffer(PEER_LENGTH));
  const data = new Uint8Array(new ArrayBuffer(MAX_ANSWER));
  const iov = new Uint32Array(new ArrayBuffer(16));
  const words = new Uint32Array(new ArrayBuffer(128));
  const at = (buffer: Uint8Array | Uint32Array): number => calls.addressOf(new Uint8Array(buffer.buffer));
  writeAddress(iov, 0, at(data));
  writeHeader(words, 0, 'v4', at(peer), at(iov));
  writeHeader(words, 16, 'v6', at(peer), at(iov));
  return { libc: calls, peer, data, iov, words, headers: { v4: at(words), v6: at(words) + 64 } };
}
