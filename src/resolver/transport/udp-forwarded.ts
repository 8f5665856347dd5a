import { type Libc, libc } from '../../platform/libc.ts';
import type { Replied } from '../upstream/upstream-query.ts';
import type { DnsRequest } from './listener.ts';
import { BATCH, type Family, MAX_ANSWER, MAX_QUERY, PEER_LENGTH, writeAddress, writeHeader } from './udp-layout.ts';
import { familyOf } from './udp-peer.ts';

// One query: lengths, time of arrival, client, local address, the peer to answer, then the message, then the reply of an upstream.
const CLIENT_LENGTH = 2;
const LOCAL_LENGTH = 3;
const CLIENT_PORT = 4;
/** Number of the upstream that was queried already, plus one; 0 if none was. */
const ASKED = 6;
const REPLY_LENGTH = 8;
/** Lowest 32 bits of the epoch milliseconds. */
const RECEIVED = 10;
const CLIENT = 14;
const LOCAL = CLIENT + 16;
const PEER = LOCAL + 16;
const MESSAGE = PEER + PEER_LENGTH;

/** Bytes of a record before its message. */
export const FORWARDED_HEADER = MESSAGE;

/** Returns the length of the record. */
export function writeForwardedRecord(
  into: Uint8Array,
  at: number,
  { bytes, at: from, length, client, clientPort, local }: DnsRequest,
  peers: Uint8Array,
  peerAt: number,
): number {
  into[at] = length >> 8;
  into[at + 1] = length;
  into[at + CLIENT_LENGTH] = client.length;
  into[at + LOCAL_LENGTH] = local.length;
  into[at + CLIENT_PORT] = clientPort >> 8;
  into[at + CLIENT_PORT + 1] = clientPort;
  into.fill(0, at + ASKED, at + RECEIVED);
  writeUint32(into, at + RECEIVED, Date.now());
  into.set(client, at + CLIENT);
  into.set(local, at + LOCAL);
  copyBytes(into, at + PEER, peers, peerAt, PEER_LENGTH);
  copyBytes(into, at + MESSAGE, bytes, from, length);
  return MESSAGE + length;
}

/** Fills `request` and `peer`; the bytes of the request are those of the record. */
export function readForwardedRecord(record: Uint8Array, at: number, request: DnsRequest, peer: Uint8Array): void {
  const two = (offset: number): number => (record[at + offset]! << 8) | record[at + offset + 1]!;
  request.bytes = record;
  request.at = at + MESSAGE;
  request.length = two(0);
  request.client = record.subarray(at + CLIENT, at + CLIENT + record[at + CLIENT_LENGTH]!);
  request.clientPort = two(CLIENT_PORT);
  request.receivedMs = ((two(RECEIVED) << 16) | two(RECEIVED + 2)) >>> 0;
  request.local = record.subarray(at + LOCAL, at + LOCAL + record[at + LOCAL_LENGTH]!);
  copyBytes(peer, 0, record, at + PEER, PEER_LENGTH);
}

function writeUint32(into: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) into[at + i] = value >>> (24 - 8 * i);
}

/** For short copies: `set` with a `subarray` allocates. */
function copyBytes(into: Uint8Array, to: number, from: Uint8Array, at: number, length: number): void {
  for (let i = 0; i < length; i++) into[to + i] = from[at + i]!;
}

export const newForwardedRequest = (): DnsRequest => ({
  bytes: NO_BYTES,
  at: 0,
  length: 0,
  transport: 'udp',
  client: NO_BYTES,
  clientPort: 0,
  local: NO_BYTES,
  receivedMs: 0,
  hasPassedRateLimit: true,
});
const NO_BYTES = new Uint8Array(0);

export type ForwardBuffer = {
  readonly add: (request: DnsRequest, peers: Uint8Array, peerAt: number) => void;
  /** Adds a record of `writeForwardedRecord`, with the reply of an upstream. */
  readonly addRecord: (record: Uint8Array, replied: Replied) => void;
  /** All queries added since the last call, in a new buffer that can be transferred to another thread. */
  readonly take: () => Uint8Array<ArrayBuffer> | undefined;
};

export function collectForwarded(): ForwardBuffer {
  let room = new Uint8Array(BATCH * (MESSAGE + MAX_QUERY));
  let used = 0;
  const makeRoom = (length: number): void => {
    if (used + length <= room.length) return;
    const larger = new Uint8Array(room.length * 2);
    larger.set(room);
    room = larger;
  };
  return {
    add(request, peers, peerAt) {
      makeRoom(MESSAGE + request.length);
      used += writeForwardedRecord(room, used, request, peers, peerAt);
    },
    addRecord(record, { upstream, reply = NO_BYTES }) {
      makeRoom(record.length + reply.length);
      room.set(record, used);
      room[used + ASKED] = upstream + 1;
      room[used + REPLY_LENGTH] = reply.length >> 8;
      room[used + REPLY_LENGTH + 1] = reply.length;
      room.set(reply, used + record.length);
      used += record.length + reply.length;
    },
    take() {
      if (used === 0) return undefined;
      const taken = room.slice(0, used);
      used = 0;
      return taken;
    },
  };
}

/** Reads the queries that `take` returned. `request` and `peer` are not reused. */
export function readForwarded(packed: Uint8Array, onRequest: (request: DnsRequest, peer: Uint8Array) => void): void {
  for (let at = 0; at < packed.length; ) {
    const request = newForwardedRequest();
    const peer = new Uint8Array(PEER_LENGTH);
    readForwardedRecord(packed, at, request, peer);
    // A separate array, because offsets count from the start of the message.
    const end = request.at + request.length;
    request.bytes = packed.subarray(request.at, end);
    request.at = 0;
    const replyLength = (packed[at + REPLY_LENGTH]! << 8) | packed[at + REPLY_LENGTH + 1]!;
    if (packed[at + ASKED] !== 0) {
      const upstream = packed[at + ASKED]! - 1;
      request.replied = { upstream, ...(replyLength > 0 && { reply: packed.slice(end, end + replyLength) }) };
    }
    onRequest(request, peer);
    at = end + replyLength;
  }
}

const MSG_DONTWAIT = 0x40;

type Envelope = {
  readonly libc: Libc;
  readonly peer: Uint8Array;
  readonly data: Uint8Array;
  readonly iov: Uint32Array;
  readonly headers: Readonly<Record<Family, number>>;
  /** Referenced here to protect the buffers, whose addresses are used, from garbage collection. */
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
