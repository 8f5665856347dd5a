import { type Libc, libc } from '../../platform/libc.ts';
import { type Family, MAX_ANSWER, PEER_LENGTH, writeAddress, writeHeader } from './udp-layout.ts';
import { familyOf } from './udp-peer.ts';

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
