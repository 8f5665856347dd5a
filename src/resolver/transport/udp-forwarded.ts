import type { DnsRequest } from './listener.ts';
import { BATCH, MAX_QUERY, PEER_LENGTH } from './udp-layout.ts';

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
      isRateLimited: true,
    };
    each(request, packed.subarray(at + PEER, at + PEER + PEER_LENGTH));
    at += MESSAGE + length;
  }
}
